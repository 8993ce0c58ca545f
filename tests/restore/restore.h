/*
 * What the programs share: two threads with enough shared accesses for more than 1,000 schedules.  A program gives
 * odd(n), which thread n runs in the middle of them, and may have a begin() of its own in main before.
 */
#ifndef RESTORE_H
#define RESTORE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 2

static int restore_shared;

static void odd(long n);

static void *restore_worker(void *arg)
{
        restore_shared++;
        restore_shared++;
        odd((long)arg);
        restore_shared++;
        restore_shared++;
        return NULL;
}

static void restore_run(void)
{
        pthread_t t[THREADS];

        for (long i = 0; i < THREADS; i++)
                pthread_create(&t[i], NULL, restore_worker, (void *)i);
        for (long i = 0; i < THREADS; i++)
                pthread_join(t[i], NULL);
}

#endif
