/* A timed wait that was signalled waits for its mutex; its deadline is over, that of the thread that holds the mutex is not. */
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t never;
static int waiting, signalled;

static void *waits(void *arg)
{
        struct timespec soon = {1900000000, 0};
        int err = 0;

        pthread_mutex_lock(&m);
        waiting = 1;
        while (!signalled && !err)
                err = pthread_cond_timedwait(&c, &m, &soon);
        pthread_mutex_unlock(&m);
        return arg;
}

static void *keeps(void *arg)
{
        struct timespec late = {2000000000, 0};

        pthread_mutex_lock(&m);
        if (waiting) {
                signalled = 1;
                pthread_cond_signal(&c);
        }
        sem_timedwait(&never, &late);
        pthread_mutex_unlock(&m);
        return arg;
}

int main(void)
{
        pthread_t a, b;

        sem_init(&never, 0, 0);
        pthread_create(&a, NULL, waits, NULL);
        pthread_create(&b, NULL, keeps, NULL);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        return 0;
}
