/* A robust mutex whose owner ends: the next one is told, and says whether what it protects is in order again. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

#include "../litmus.h"

int died, fresh, lost;
static pthread_mutex_t m;

static void *dies(void *arg)
{
        if (pthread_mutex_lock(&m) == EOWNERDEAD)
                pthread_mutex_consistent(&m);
        return arg;
}

static void *lives(void *arg)
{
        int err = pthread_mutex_lock(&m);

        if (err == EOWNERDEAD) {
                died++;
                assert(pthread_mutex_consistent(&m) == 0 && pthread_mutex_consistent(&m) == EINVAL);
        } else {
                fresh++;
        }
        assert(pthread_mutex_unlock(&m) == 0);
        return arg;
}

int main(void)
{
        pthread_mutexattr_t attr;

        pthread_mutexattr_init(&attr);
        pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
        pthread_mutex_init(&m, &attr);
        assert(pthread_mutex_consistent(&m) == EINVAL);
        assert(pthread_mutex_unlock(&m) == EPERM);
        RUN(dies, lives);
        if (pthread_mutex_lock(&m) == EOWNERDEAD)
                lost = 1;
        pthread_mutex_unlock(&m);
        assert(pthread_mutex_lock(&m) == (lost ? ENOTRECOVERABLE : 0));
        assert(pthread_mutex_trylock(&m) == (lost ? ENOTRECOVERABLE : EBUSY));
        if (!lost)
                pthread_mutex_unlock(&m);
        return 0;
}
