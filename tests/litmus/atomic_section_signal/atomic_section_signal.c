/* A signal in an atomic section: the section conflicts with the wait by what it does after it has begun. */
#include <pthread.h>
#include <stddef.h>

#include <heddle/heddle.h>

#include "../litmus.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int woken;

static void *signaller(void *arg)
{
        heddle_atomic_begin();
        pthread_cond_signal(&c);
        heddle_atomic_end();
        return arg;
}

static void *waiter(void *arg)
{
        pthread_mutex_lock(&m);
        pthread_cond_wait(&c, &m);
        woken = 1;
        pthread_mutex_unlock(&m);
        return arg;
}

int main(void)
{
        RUN(signaller, waiter);
        return 0;
}
