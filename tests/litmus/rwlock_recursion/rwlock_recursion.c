/* A reader that reads again waits for a writer that waits for it, but only where writers are preferred. */
#define _GNU_SOURCE
#include <pthread.h>

#include "../litmus.h"

#ifndef KIND
#define KIND PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP
#endif
static pthread_rwlock_t l = KIND;

static void *reader(void *arg)
{
        pthread_rwlock_rdlock(&l);
        pthread_rwlock_rdlock(&l);
        pthread_rwlock_unlock(&l);
        pthread_rwlock_unlock(&l);
        return arg;
}

static void *writer(void *arg)
{
        pthread_rwlock_wrlock(&l);
        pthread_rwlock_unlock(&l);
        return arg;
}

int main(void)
{
        RUN(reader, writer);
        return 0;
}
