/* A lost update at the beginning, and much work under a lock behind it: a search that begins at the end comes there late. */
#include "bugs.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#ifndef ROUNDS
#define ROUNDS 2
#endif
static int started, work[4];

static void *job(void *arg)
{
#ifdef FIXED
        pthread_mutex_lock(&m);
        started++;
        pthread_mutex_unlock(&m);
#else
        started++;
#endif
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
        assert(started == 3);
        return 0;
}
