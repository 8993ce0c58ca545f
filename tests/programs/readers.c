/*
 * One writer stores x, N readers load it.  Each reader comes before or after the store: 2^N behaviours.
 *
 * WRITER_AT is the place of the writer among the threads that are created, 0 (the first) to N (the last).
 */
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif
#ifndef WRITER_AT
#define WRITER_AT 0
#endif

static atomic_int x;

static void *writer(void *arg)
{
        (void)arg;
        atomic_store(&x, 1);
        return NULL;
}

static void *reader(void *arg)
{
        (void)arg;
        (void)atomic_load(&x);
        return NULL;
}

int main(void)
{
        pthread_t threads[N + 1];

        for (int i = 0; i <= N; i++)
                pthread_create(&threads[i], NULL, i == WRITER_AT ? writer : reader, NULL);
        for (int i = 0; i <= N; i++)
                pthread_join(threads[i], NULL);
        return 0;
}
