/* A reader that never lets go, one that does, and a writer: before both, or between them, or it waits. */
#include <semaphore.h>

#include "../litmus.h"

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static sem_t never;

static void *keeps(void *arg)
{
        pthread_rwlock_rdlock(&rw);
        sem_wait(&never);
        pthread_rwlock_unlock(&rw);
        return arg;
}

static void *reads(void *arg)
{
        pthread_rwlock_rdlock(&rw);
        pthread_rwlock_unlock(&rw);
        return arg;
}

static void *writes(void *arg)
{
        pthread_rwlock_wrlock(&rw);
        pthread_rwlock_unlock(&rw);
        return arg;
}

int main(void)
{
        sem_init(&never, 0, 0);
        RUN(keeps, reads, writes);
        return 0;
}
