/*
 * READERS readers and one writer, each once (McMini, table 7).  The lock is made of a mutex and condition variables,
 * without preference, or -DPREFER=1 of readers, 2 of writers; with -DNATIVE it is the read-write lock of pthreads, whose
 * preference --wakeup gives.
 */
#include <assert.h>
#include <pthread.h>

#ifndef READERS
#define READERS 2
#endif
#ifndef PREFER
#define PREFER 0
#endif

static int a, b;

#ifdef NATIVE
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;

static void read_lock(void)
{
        pthread_rwlock_rdlock(&rw);
}

static void write_lock(void)
{
        pthread_rwlock_wrlock(&rw);
}

static void unlock(int reads)
{
        (void)reads;
        pthread_rwlock_unlock(&rw);
}
#else
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static int readers, writing, waiting_readers, waiting_writers;

static void read_lock(void)
{
        pthread_mutex_lock(&lock);
        waiting_readers++;
        while (writing || (PREFER == 2 && waiting_writers))
                pthread_cond_wait(&change, &lock);
        waiting_readers--;
        readers++;
        pthread_mutex_unlock(&lock);
}

static void write_lock(void)
{
        pthread_mutex_lock(&lock);
        waiting_writers++;
        while (writing || readers || (PREFER == 1 && waiting_readers))
                pthread_cond_wait(&change, &lock);
        waiting_writers--;
        writing = 1;
        pthread_mutex_unlock(&lock);
}

static void unlock(int reads)
{
        pthread_mutex_lock(&lock);
        if (reads)
                readers--;
        else
                writing = 0;
        pthread_cond_broadcast(&change);
        pthread_mutex_unlock(&lock);
}
#endif

static void *reader(void *arg)
{
        read_lock();
        assert(a == b);
        unlock(1);
        return arg;
}

static void *writer(void *arg)
{
        write_lock();
        a++;
        b++;
        unlock(0);
        return arg;
}

int main(void)
{
        pthread_t t[READERS + 1];

        for (int i = 0; i < READERS; i++)
                pthread_create(&t[i], NULL, reader, NULL);
        pthread_create(&t[READERS], NULL, writer, NULL);
        for (int i = 0; i <= READERS; i++)
                pthread_join(t[i], NULL);
        return 0;
}
