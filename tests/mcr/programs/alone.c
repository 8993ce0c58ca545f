/* Waits with a deadline on a condition variable that no other thread uses: they time out without an entry. */
#include <pthread.h>

#ifndef N
#define N 1
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t alone = PTHREAD_COND_INITIALIZER;
static int first, second;

static void *waits(void *arg)
{
        const struct timespec until = {4000000000, 0};
        int late = 0;

        first = second + 1;
        pthread_mutex_lock(&lock);
        for (int i = 0; i < N; i++)
                late = pthread_cond_timedwait(&alone, &lock, &until);
        pthread_mutex_unlock(&lock);
        second = late;
        return arg;
}

int main(void)
{
        pthread_t t;

        pthread_create(&t, NULL, waits, NULL);
        pthread_mutex_lock(&lock);
        second = 2;
        pthread_mutex_unlock(&lock);
        pthread_detach(t);
        return 0;
}
