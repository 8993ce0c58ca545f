/* The lock of rpref.h from a mutex and a condition variable. */
#include "rpref.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int waiting, reading, writing;

void rpref_read_lock(pthread_rwlock_t *l)
{
        (void)l;
        pthread_mutex_lock(&m);
        waiting++;
        while (writing)
                pthread_cond_wait(&changed, &m);
        waiting--;
        reading++;
        pthread_mutex_unlock(&m);
}

void rpref_write_lock(pthread_rwlock_t *l)
{
        (void)l;
        pthread_mutex_lock(&m);
        while (waiting || reading || writing)
                pthread_cond_wait(&changed, &m);
        writing = 1;
        pthread_mutex_unlock(&m);
}

void rpref_unlock(pthread_rwlock_t *l, int write)
{
        (void)l;
        pthread_mutex_lock(&m);
        if (write)
                writing = 0;
        else
                reading--;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&m);
}
