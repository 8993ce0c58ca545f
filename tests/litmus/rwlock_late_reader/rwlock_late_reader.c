/* A writer waits for a reader that never lets go.  It could have come before that one, but after another, which still holds
 * the lock where the first one took it. */
#include <semaphore.h>

#include "../litmus.h"

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static sem_t never, later;

static void *first(void *arg)
{
        pthread_rwlock_rdlock(&rw);
        sem_wait(&later);
        pthread_rwlock_unlock(&rw);
        return arg;
}

static void *second(void *arg)
{
        pthread_rwlock_rdlock(&rw);
        sem_wait(&never);
        pthread_rwlock_unlock(&rw);
        return arg;
}

static void *poster(void *arg)
{
        sem_post(&later);
        return arg;
}

static void *writer(void *arg)
{
        pthread_rwlock_wrlock(&rw);
        pthread_rwlock_unlock(&rw);
        return arg;
}

int main(void)
{
        sem_init(&never, 0, 0);
        sem_init(&later, 0, 0);
        RUN(first, second, poster, writer);
        return 0;
}
