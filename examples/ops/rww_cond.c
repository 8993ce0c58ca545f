/* The lock of rww.h from a mutex and a condition variable: as a program would have it. */
#include "rww.h"

#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int readers, writing;

void rww_read_lock(struct rww *l)
{
        (void)l;
        pthread_mutex_lock(&m);
        while (writing)
                pthread_cond_wait(&changed, &m);
        readers++;
        pthread_mutex_unlock(&m);
}

void rww_read_unlock(struct rww *l)
{
        (void)l;
        pthread_mutex_lock(&m);
        readers--;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&m);
}

void rww_write_lock(struct rww *l, int writer)
{
        (void)l;
        pthread_mutex_lock(&m);
        while (readers || writing)
                pthread_cond_wait(&changed, &m);
        writing = writer;
        pthread_mutex_unlock(&m);
}

void rww_write_unlock(struct rww *l)
{
        (void)l;
        pthread_mutex_lock(&m);
        writing = 0;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&m);
}
