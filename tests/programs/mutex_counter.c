/*
 * N threads increment a counter K times each, under a mutex.  The behaviours are the orders of the critical sections:
 * (NK)! / (K!)^N.
 */
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 2
#endif
#ifndef K
#define K 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *count(void *arg)
{
        (void)arg;
        for (int k = 0; k < K; k++) {
                pthread_mutex_lock(&lock);
                counter++;
                pthread_mutex_unlock(&lock);
        }
        return NULL;
}

int main(void)
{
        pthread_t threads[N];

        for (int i = 0; i < N; i++)
                pthread_create(&threads[i], NULL, count, NULL);
        for (int i = 0; i < N; i++)
                pthread_join(threads[i], NULL);
        assert(counter == N * K);
        return 0;
}
