/* What the programs of this folder share. */
#ifndef BUGS_H
#define BUGS_H

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#include <heddle/heddle.h>

/* Runs the functions as threads and waits for their ends. */
#define RUN(...) run((void *(*[])(void *)){__VA_ARGS__, NULL})
static inline void run(void *(**f)(void *))
{
        pthread_t t[8];
        int n = 0;

        for (; f[n]; n++)
                pthread_create(&t[n], NULL, f[n], (void *)(size_t)n);
        while (n > 0)
                pthread_join(t[--n], NULL);
}

#endif
