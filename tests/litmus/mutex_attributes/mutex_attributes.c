/* Attributes that change nothing here are accepted; adaptive mutexes are like normal ones. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

#include "../litmus.h"

int last;
static pthread_mutex_t adaptive = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP, shared, prio;

static void *add(void *arg)
{
        pthread_mutex_lock(&adaptive);
        pthread_mutex_lock(&shared);
        pthread_mutex_lock(&prio);
        last++;
        assert(pthread_mutex_trylock(&adaptive) == EBUSY);
        pthread_mutex_unlock(&prio);
        pthread_mutex_unlock(&shared);
        pthread_mutex_unlock(&adaptive);
        return arg;
}

int main(void)
{
        pthread_mutexattr_t attr;

        pthread_mutexattr_init(&attr);
        assert(pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED) == 0);
        assert(pthread_mutex_init(&shared, &attr) == 0);
        assert(pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT) == 0);
        assert(pthread_mutex_init(&prio, &attr) == 0);
        RUN(add, add);
        assert(last == 2);
        return 0;
}
