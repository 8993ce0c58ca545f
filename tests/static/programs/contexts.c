/*
 * One function counts what matters and what does not: with calls told apart, the counters of `stats` do not.  -DSHARED: the same
 * counter is read for nothing in one call, and matters in another; -DHIDDEN: there through a pointer that unknown code had.
 */
#include <pthread.h>
#include <stdlib.h>

struct counters {
        long requests, bytes;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct counters stats;
static long opened;
#ifdef HIDDEN
static pthread_key_t key;
#endif

static void add(long *counter, long n)
{
        pthread_mutex_lock(&lock);
        *counter += n;
        pthread_mutex_unlock(&lock);
}

static long value(long *counter)
{
        pthread_mutex_lock(&lock);
        long v = *counter;
        pthread_mutex_unlock(&lock);
        return v;
}

static void *work(void *arg)
{
        add(&stats.requests, 1);
        add(&opened, 1);
        add(&stats.bytes, 100);
#if defined SHARED || defined HIDDEN
        (void)value(&opened);
#endif
#ifdef HIDDEN
        pthread_setspecific(key, &opened);
        if (value(pthread_getspecific(key)) > 1)
#else
        if (value(&opened) > 1)
#endif
                abort();
        add(&opened, -1);
        return arg;
}

int main(void)
{
        pthread_t t[2];

#ifdef HIDDEN
        pthread_key_create(&key, NULL);
#endif
        for (int i = 0; i < 2; i++)
                pthread_create(&t[i], NULL, work, NULL);
        for (int i = 0; i < 2; i++)
                pthread_join(t[i], NULL);
        return 0;
}
