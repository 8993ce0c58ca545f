/*
 * N threads wait for a broadcast without looking at a condition: those that come after it wait forever.
 */
#include <pthread.h>

#ifndef N
#define N 3
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *waiter(void *arg)
{
        pthread_mutex_lock(&m);
        pthread_cond_wait(&c, &m);
        pthread_mutex_unlock(&m);
        return arg;
}

int main(void)
{
        pthread_t t[N];

        for (int i = 0; i < N; i++)
                pthread_create(&t[i], NULL, waiter, NULL);
        pthread_mutex_lock(&m);
        pthread_cond_broadcast(&c);
        pthread_mutex_unlock(&m);
        for (int i = 0; i < N; i++)
                pthread_join(t[i], NULL);
        return 0;
}
