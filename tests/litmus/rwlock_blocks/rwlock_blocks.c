/* Readers that meet at a mutex, before they read and while they do, and a writer.  A writer that goes first must not come
 * after a reader that holds the lock because of what its block may touch. */
#include "../litmus.h"

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t s = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *reader(void *arg)
{
        pthread_mutex_lock(&s);
        x = 1;
        pthread_mutex_unlock(&s);
        pthread_rwlock_rdlock(&rw);
        pthread_mutex_lock(&s);
        pthread_mutex_unlock(&s);
        pthread_rwlock_unlock(&rw);
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
        RUN(reader, reader, writer);
        return 0;
}
