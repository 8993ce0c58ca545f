/* A thread that is cancelled in a wait that times out when all are stuck takes the mutex before or after another one, which keeps it. */
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t never;
static pthread_t waiter, other;

static void unlock(void *arg)
{
        (void)arg;
        pthread_mutex_unlock(&m);
}

static void *waits(void *arg)
{
        pthread_mutex_lock(&m);
        pthread_cleanup_push(unlock, NULL);
        pthread_cond_timedwait(&c, &m, &(struct timespec){2000000000,0});
        pthread_cleanup_pop(1);
        return arg;
}

static void *keeps(void *arg)
{
        pthread_cancel(waiter);
        pthread_mutex_lock(&m);
        sem_wait(&never);
        return arg;
}

int main(void)
{
        sem_init(&never, 0, 0);
        pthread_create(&waiter, NULL, waits, NULL);
        pthread_create(&other, NULL, keeps, NULL);
        pthread_join(waiter, NULL);
        pthread_join(other, NULL);
        return 0;
}
