/*
 * For options that have nothing to do with memory: store buffering, then an allocation, and a wait with a deadline for the
 * other thread.  r3 tells what failed.
 */
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "../../litmus/litmus.h"

static volatile int x, y;
int r1, r2, r3;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void *left(void *arg)
{
        struct timespec deadline = {1, 0};
        volatile int *p;

        x = 1;
        r1 = y;
        p = malloc(sizeof *p);
        if (!p) {
                r3 = 1;
                return arg;
        }
        *p = x;
        pthread_mutex_lock(&mutex);
        if (!y && pthread_cond_timedwait(&cond, &mutex, &deadline) == ETIMEDOUT)
                r3 = 2;
        pthread_mutex_unlock(&mutex);
        free((void *)p);
        return arg;
}

static void *right(void *arg)
{
        y = 1;
        r2 = x;
        pthread_mutex_lock(&mutex);
        pthread_cond_signal(&cond);
        pthread_mutex_unlock(&mutex);
        return arg;
}

int main(void)
{
        RUN(left, right);
}
