/*
 * N threads that compare and swap.  ROTATE: thread i from i-1 to i; else from 0 to 1, and then each stores a value of its
 * own.  One that fails only reads.
 */
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif
#ifndef ROTATE
#define ROTATE 0
#endif

static atomic_int x;
static int ids[N];

static void *work(void *arg)
{
        int id = *(int *)arg, from = ROTATE ? id - 1 : 0;

        atomic_compare_exchange_strong(&x, &from, ROTATE ? id : 1);
        if (!ROTATE)
                atomic_store(&x, id + 1);
        return NULL;
}

int main(void)
{
        pthread_t threads[N];

        for (int i = 0; i < N; i++) {
                ids[i] = i + 1;
                pthread_create(&threads[i], NULL, work, &ids[i]);
        }
        for (int i = 0; i < N; i++)
                pthread_join(threads[i], NULL);
        return 0;
}
