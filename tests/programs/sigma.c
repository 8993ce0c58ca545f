/*
 * Main counts an index up before it creates each of N threads, which look at it and write that slot: thread i comes before
 * or after each of the later steps of main, (2N-1)!! behaviours.
 */
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int next = -1;
static atomic_int slots[N];

static void *work(void *arg)
{
        (void)arg;
        atomic_store(&slots[atomic_load(&next)], 1);
        return NULL;
}

int main(void)
{
        pthread_t threads[N];

        for (int i = 0; i < N; i++) {
                atomic_store(&next, i);
                pthread_create(&threads[i], NULL, work, NULL);
        }
        for (int i = 0; i < N; i++)
                pthread_join(threads[i], NULL);
        return 0;
}
