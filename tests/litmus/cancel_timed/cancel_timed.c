/* Timed waits for a semaphore, a condition variable, a thread and a pipe are cancellation points; for a mutex and a
 * read-write lock they are none. */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#ifndef OP
#define OP 0
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, held = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t never;
static int fd[2];
static const struct timespec far = {4000000000, 0};
int right;

static void unlock(void *arg)
{
        pthread_mutex_unlock(&mutex);
}

static void *waits(void *arg)
{
        struct pollfd p = {.fd = fd[0], .events = POLLIN};

        switch (OP) {
        case 0: sem_timedwait(&never, &far); break;
        case 1: sem_clockwait(&never, CLOCK_MONOTONIC, &far); break;
        case 2:
                pthread_mutex_lock(&mutex);
                pthread_cleanup_push(unlock, NULL);
                pthread_cond_timedwait(&cond, &mutex, &far);
                pthread_cleanup_pop(1);
                break;
        case 3: poll(&p, 1, 1000); break;
        case 4:
                pthread_mutex_timedlock(&held, &far);
                pthread_mutex_unlock(&held);
                break;
        case 5:
                pthread_rwlock_timedrdlock(&rwlock, &far);
                pthread_rwlock_unlock(&rwlock);
                break;
        }
        return NULL;
}

int main(void)
{
        pthread_t t;
        void *value;

        sem_init(&never, 0, 0);
        pipe(fd);
        pthread_mutex_lock(&held);
        pthread_rwlock_wrlock(&rwlock);
        pthread_create(&t, NULL, waits, NULL);
        pthread_cancel(t);
        pthread_mutex_unlock(&held);
        pthread_rwlock_unlock(&rwlock);
        pthread_join(t, &value);
        right = (value == PTHREAD_CANCELED) == (OP < 4);
        return !right;
}
