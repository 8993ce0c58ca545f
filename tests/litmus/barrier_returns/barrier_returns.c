/* Exactly one of those who met is the serial thread; twice, through the same barrier. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

#include "../litmus.h"

int first[2], second[2], before, seen;
static pthread_barrier_t b;

static void *a(void *arg)
{
        before = 1;
        first[0] = pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD;
        second[0] = pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD;
        return arg;
}

static void *c(void *arg)
{
        first[1] = pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD;
        seen = before;
        second[1] = pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD;
        return arg;
}

int main(void)
{
        assert(pthread_barrier_init(&b, NULL, 0) == EINVAL);
        assert(pthread_barrier_init(&b, NULL, 1) == 0);
        assert(pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD);
        assert(pthread_barrier_destroy(&b) == 0);
        assert(pthread_barrier_init(&b, NULL, 2) == 0);
        RUN(a, c);
        assert(first[0] + first[1] == 1 && second[0] + second[1] == 1 && seen == 1);
        return 0;
}
