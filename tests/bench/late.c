/*
 * Executions of about EVENTS entries that differ in the last few alone: two threads read a shared variable that one of them wrote,
 * one after the other, and race at the end.  What an execution costs beyond its new part is what prefix sharing would save.
 *
 * STATIC bytes of static data, of which no execution writes anything.
 */
#include <pthread.h>
#include <stdatomic.h>

#ifndef EVENTS
#define EVENTS 100
#endif
#ifndef STATIC
#define STATIC 64
#endif

static char data[STATIC] = {1};
static atomic_int shared, last[6];

static void *work(void *arg)
{
        (void)arg;
        for (int i = 0; i < 6; i++)
                atomic_fetch_add(&last[i], 1);
        return NULL;
}

static void *before(void *arg)
{
        (void)arg;
        for (int i = 0; i < EVENTS; i++)
                atomic_store(&shared, i);
        return NULL;
}

int main(void)
{
        pthread_t first, t[2];

        pthread_create(&first, NULL, before, NULL);
        (void)atomic_load(&shared);
        pthread_join(first, NULL);
        for (int i = 0; i < 2; i++)
                pthread_create(&t[i], NULL, work, NULL);
        for (int i = 0; i < 2; i++)
                pthread_join(t[i], NULL);
        return data[STATIC / 2] > 1;
}
