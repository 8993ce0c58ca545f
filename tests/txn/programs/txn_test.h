/* Common to the programs of this folder: K threads, main is one of them, run N iterations of work(). */
#include <assert.h>
#include <immintrin.h>
#include <pthread.h>
#include <stdint.h>

#ifndef K
#define K 2
#endif
#ifndef N
#define N 1
#endif

static void work(intptr_t me);

static void *thread(void *me)
{
        for (int i = 0; i < N; i++)
                work((intptr_t)me);
        return 0;
}

static void run(void)
{
        pthread_t t[K];

        for (intptr_t i = 1; i < K; i++)
                pthread_create(&t[i], 0, thread, (void *)i);
        thread(0);
        for (int i = 1; i < K; i++)
                pthread_join(t[i], 0);
}
