/* The same with an order violation: who comes second uses what the first one sets after it has announced itself. */
#include "bugs.h"

#define ROUNDS 1

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int owner, value, work[4];

static void *job(void *arg)
{
        pthread_mutex_lock(&m);
        int first = !owner;
        owner = 1;
#ifdef FIXED
        if (first)
                value = 7;
#endif
        pthread_mutex_unlock(&m);
#ifndef FIXED
        if (first)
                value = 7;
#endif
        if (!first)
                assert(value == 7);
        for (int i = 0; i < ROUNDS; i++) {
                pthread_mutex_lock(&m);
                for (int k = 0; k < 4; k++)
                        work[k] += k;
                pthread_mutex_unlock(&m);
        }
        return arg;
}

int main(void)
{
        RUN(job, job, job);
        return 0;
}
