/* Joins that do not wait, or not for long: before or after the end. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <time.h>

int tried, timed, value;

static void *worker(void *arg)
{
        return (void *)(intptr_t)7;
}

int main(void)
{
        struct timespec until = {1, 0};
        pthread_t thread;
        void *p = NULL;

        pthread_create(&thread, NULL, worker, NULL);
        tried = pthread_tryjoin_np(thread, &p) == EBUSY;
        if (tried)
                timed = pthread_timedjoin_np(thread, &p, &until) == ETIMEDOUT;
        if (timed)
                pthread_clockjoin_np(thread, &p, CLOCK_MONOTONIC, NULL);
        value = (int)(intptr_t)p;
        return 0;
}
