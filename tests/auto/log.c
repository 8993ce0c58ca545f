/* Threads append to a log under a lock: no two orders lead to the same state. */
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 4
#endif
#define K 3

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int entries[N * K], n;

static void *append(void *arg)
{
        for (int i = 0; i < K; i++) {
                pthread_mutex_lock(&lock);
                entries[n++] = (int)(long)arg;
                (void)*(volatile char *)&lock; /* mcr does not model that */
                pthread_mutex_unlock(&lock);
        }
        return NULL;
}

int main(void)
{
        pthread_t t[N];

        for (long i = 0; i < N; i++)
                pthread_create(&t[i], NULL, append, (void *)(i + 1));
        for (int i = 0; i < N; i++)
                pthread_join(t[i], NULL);
        assert(n == N * K);
}
