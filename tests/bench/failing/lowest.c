/* N threads add one K times without a lock; the sum is never 2, one thinks.  It takes a preemption for nearly every step. */
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 2
#endif
#ifndef K
#define K 3
#endif
#ifndef LOWEST
#define LOWEST 2
#endif

static volatile int sum;

static void *add(void *arg)
{
        for (int i = 0; i < K; i++)
                sum++;
        return arg;
}

int main(void)
{
        pthread_t t[N];

        for (int i = 0; i < N; i++)
                pthread_create(&t[i], NULL, add, NULL);
        for (int i = 0; i < N; i++)
                pthread_join(t[i], NULL);
        assert(sum > LOWEST);
        return 0;
}
