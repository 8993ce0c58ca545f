/* A writer waits for readers, of which one waits for a mutex. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;

static void *writes(void *arg)
{
        pthread_rwlock_wrlock(&rw);
        pthread_rwlock_unlock(&rw);
        return arg;
}

static void *reads(void *arg)
{
        pthread_rwlock_rdlock(&rw);
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
        pthread_rwlock_unlock(&rw);
        return arg;
}

static void *both(void *arg)
{
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
        return writes(arg);
}

int main(void)
{
        static void *(*const all[])(void *) = {writes, reads, both};
        pthread_t t[3];
        for (int i = 0; i < 3; i++)
                pthread_create(&t[i], 0, all[i], 0);
        for (int i = 0; i < 3; i++)
                pthread_join(t[i], 0);
}
