/* Clocks that are read after the thread has synchronised: what they show follows from whom it came after.
 *   SLEEP    a thread sleeps before it takes the lock
 *   LATER    the clock is read only where the other thread was faster
 *   TIMED    a timed wait whose deadline is computed under the lock
 *   READERS  two readers sleep before they take a read-write lock; a writer looks at its clock after them */
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;
long seen;

static struct timespec now(void)
{
        struct timespec t;

        clock_gettime(CLOCK_REALTIME, &t);
        return t;
}

#ifdef READERS
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;

static void *shares(void *arg)
{
        struct timespec t = {(long)arg, 0};

        nanosleep(&t, NULL);
        pthread_rwlock_rdlock(&rw);
        pthread_rwlock_unlock(&rw);
        return NULL;
}

static void *writes(void *arg)
{
        pthread_rwlock_wrlock(&rw);
        __atomic_store_n(&seen, now().tv_sec % 1000, __ATOMIC_SEQ_CST);
        pthread_rwlock_unlock(&rw);
        return arg;
}
#endif

static void *reader(void *arg)
{
        struct timespec t;

        pthread_mutex_lock(&m);
#ifdef TIMED
        t = now();
        t.tv_sec++;
        while (!ready && !pthread_cond_timedwait(&c, &m, &t))
                ;
#endif
#ifdef LATER
        if (ready)
#endif
                t = now(), seen = t.tv_sec % 1000;
        pthread_mutex_unlock(&m);
        (void)t;
        return arg;
}

static void *sleeper(void *arg)
{
#ifndef TIMED
        struct timespec t = {10, 0};

        nanosleep(&t, NULL);
#endif
        pthread_mutex_lock(&m);
        ready = 1;
        pthread_cond_signal(&c);
        pthread_mutex_unlock(&m);
        return arg;
}

int main(void)
{
        pthread_t a, b;

#ifdef READERS
        pthread_t w;

        pthread_create(&a, NULL, shares, (void *)1);
        pthread_create(&b, NULL, shares, (void *)3);
        pthread_create(&w, NULL, writes, NULL);
        ready = __atomic_load_n(&seen, __ATOMIC_SEQ_CST) != 0;
        pthread_join(w, NULL);
#else
        pthread_create(&a, NULL, reader, NULL);
        pthread_create(&b, NULL, sleeper, NULL);
#endif
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        return 0;
}
