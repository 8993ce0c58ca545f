/*
 * Two threads, K plain increments of the same variable each.  An increment is a read and a write, and any of them may
 * stand between another's two: 4, 34, 328 behaviours for K = 1, 2, 3.  The final value is anything from 2 (1 for K = 1)
 * to 2K.
 */
#include <assert.h>
#include <pthread.h>

#ifndef K
#define K 3
#endif

int x;

static void *increment(void *arg)
{
        (void)arg;
        for (int k = 0; k < K; k++)
                x++;
        return NULL;
}

int main(void)
{
        pthread_t t1, t2;

        pthread_create(&t1, NULL, increment, NULL);
        pthread_create(&t2, NULL, increment, NULL);
        pthread_join(t1, NULL);
        pthread_join(t2, NULL);
        assert(x >= (K > 1 ? 2 : 1) && x <= 2 * K);
        return 0;
}
