/*
 * Locks used in ways that POSIX leaves undefined, one of them chosen by CASE, and next to each the correct thing
 * (RIGHT), which must not be reported.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, m2 = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static sem_t sem, started;

static void *run(void *(*f)(void *))
{
        pthread_t t;
        void *value = NULL;

        pthread_create(&t, NULL, f, NULL);
        pthread_join(t, &value);
        return value;
}

#if CASE == 1 /* unlock by a thread that does not hold it */
static void *f(void *arg)
{
        pthread_mutex_unlock(&m); /* HERE */
        return arg;
}
static void test(void)
{
        pthread_mutex_lock(&m); /* THERE */
        run(f);
}
#elif CASE == 2 /* unlock of what no thread holds */
static void test(void)
{
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m); /* THERE */
        pthread_mutex_unlock(&m); /* HERE */
}
#elif CASE == 3 /* destroyed while held */
static void test(void)
{
        pthread_mutex_lock(&m);    /* THERE */
        pthread_mutex_destroy(&m); /* HERE */
}
#elif CASE == 4 /* used after it was destroyed */
static void test(void)
{
        pthread_mutex_destroy(&m); /* THERE */
        pthread_mutex_lock(&m);    /* HERE */
}
#elif CASE == 5 /* initialised again while it is held */
static void test(void)
{
        pthread_mutex_lock(&m);       /* THERE */
        pthread_mutex_init(&m, NULL); /* HERE */
}
#elif CASE == 6 /* a wait without the mutex */
static void *f(void *arg)
{
        pthread_cond_wait(&c, &m); /* HERE */
        return arg;
}
static void test(void)
{
        pthread_mutex_lock(&m); /* THERE */
        run(f);
}
#elif CASE == 7 /* two mutexes on one condition variable */
static void *f(void *arg)
{
        pthread_mutex_lock(&m2);
        pthread_cond_wait(&c, &m2); /* HERE, or THERE */
        pthread_mutex_unlock(&m2);
        return arg;
}
static void test(void)
{
        pthread_t t;

        pthread_create(&t, NULL, f, NULL);
        pthread_mutex_lock(&m);
        pthread_cond_wait(&c, &m); /* THERE, or HERE */
        pthread_mutex_unlock(&m);
}
#elif CASE == 8 /* a thread ends with a lock */
static void *f(void *arg)
{
        pthread_mutex_lock(&m); /* HERE, THERE */
        return arg;
}
static void test(void)
{
        run(f);
}
#elif CASE == 9 /* a condition variable destroyed while a thread waits */
static void *f(void *arg)
{
        pthread_mutex_lock(&m);
        sem_post(&started);
        pthread_cond_wait(&c, &m); /* THERE */
        pthread_mutex_unlock(&m);
        return arg;
}
static void test(void)
{
        pthread_t t;

        pthread_create(&t, NULL, f, NULL);
        sem_wait(&started);
        pthread_mutex_lock(&m);
        pthread_cond_destroy(&c); /* HERE */
        pthread_mutex_unlock(&m);
}
#elif CASE == 10 /* a read-write lock unlocked by another thread */
static void *f(void *arg)
{
        pthread_rwlock_unlock(&rw); /* HERE */
        return arg;
}
static void test(void)
{
        pthread_rwlock_rdlock(&rw); /* THERE */
        run(f);
}
#elif CASE == 11 /* a read-write lock destroyed while held */
static void test(void)
{
        pthread_rwlock_wrlock(&rw);  /* THERE */
        pthread_rwlock_destroy(&rw); /* HERE */
}
#elif CASE == 12 /* a spinlock unlocked by another thread */
static void *f(void *arg)
{
        pthread_spin_unlock(&spin); /* HERE */
        return arg;
}
static void test(void)
{
        pthread_spin_lock(&spin); /* THERE */
        run(f);
}
#elif CASE == 13 /* a barrier destroyed while a thread waits */
static void *f(void *arg)
{
        pthread_barrier_wait(&barrier); /* HERE, or THERE */
        return arg;
}
static void test(void)
{
        pthread_t t;

        pthread_create(&t, NULL, f, NULL);
        pthread_barrier_destroy(&barrier); /* THERE, or HERE */
}
#elif CASE == 14 /* a semaphore used after it was destroyed */
static void *f(void *arg)
{
        sem_wait(&sem); /* HERE */
        return arg;
}
static void test(void)
{
        pthread_t t;

        pthread_create(&t, NULL, f, NULL);
        sem_destroy(&sem); /* THERE */
}
#elif CASE == 15 /* a barrier that no thread initialised */
static pthread_barrier_t other;
static void test(void)
{
        pthread_barrier_wait(&other); /* HERE */
}
#elif CASE == 16 /* the lock of a stream, released by another */
static void *f(void *arg)
{
        funlockfile(stdout); /* HERE */
        return arg;
}
static void test(void)
{
        flockfile(stdout); /* THERE */
        run(f);
}
#elif CASE == 17 /* a thread ends with the lock of a stream */
static void *f(void *arg)
{
        flockfile(stdout); /* THERE HERE */
        return arg;
}
static void test(void)
{
        run(f);
}
#elif CASE == 18 /* joined twice */
static void *f(void *arg)
{
        return arg;
}
static void test(void)
{
        pthread_t t;

        pthread_create(&t, NULL, f, NULL);
        pthread_join(t, NULL); /* THERE */
        pthread_join(t, NULL); /* HERE */
}
#elif CASE == 19 /* joined although it was created detached */
static void *f(void *arg)
{
        return arg;
}
static void test(void)
{
        pthread_attr_t attr;
        pthread_t t;

        pthread_attr_init(&attr);
        pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
        pthread_create(&t, &attr, f, NULL); /* THERE */
        pthread_join(t, NULL);              /* HERE */
}
#elif CASE == 20 /* detached twice */
static void *f(void *arg)
{
        pthread_detach(pthread_self()); /* HERE THERE */
        return arg;
}
static void test(void)
{
        pthread_t t;

        pthread_create(&t, NULL, f, NULL);
        pthread_detach(t); /* HERE THERE */
}
#elif CASE == 21 /* a thread waits for its own end */
static void *f(void *arg)
{
        pthread_join(pthread_self(), NULL); /* HERE */
        return arg;
}
static void test(void)
{
        run(f);
}
#elif CASE == 22 /* two threads join a third */
static pthread_t third;
static void *ends(void *arg)
{
        return arg;
}
static void *f(void *arg)
{
        pthread_tryjoin_np(third, NULL); /* HERE THERE */
        return arg;
}
static void test(void)
{
        pthread_t t;

        pthread_create(&third, NULL, ends, NULL);
        pthread_create(&t, NULL, f, NULL);
        pthread_join(third, NULL); /* THERE HERE */
        pthread_join(t, NULL);
}
#else /* right */
static int ready;
static void *f(void *arg)
{
        pthread_mutex_t local = PTHREAD_MUTEX_INITIALIZER;

        pthread_mutex_lock(&local);
        pthread_mutex_unlock(&local);
        pthread_mutex_destroy(&local);
        pthread_mutex_lock(&m);
        ready++;
        pthread_cond_broadcast(&c);
        while (ready < 2)
                pthread_cond_wait(&c, &m);
        pthread_mutex_unlock(&m);
        pthread_rwlock_rdlock(&rw);
        pthread_rwlock_rdlock(&rw);
        pthread_rwlock_unlock(&rw);
        pthread_rwlock_unlock(&rw);
        if (pthread_barrier_wait(&barrier))
                pthread_barrier_destroy(&barrier);
        return arg;
}
static void *g(void *arg)
{
        flockfile(stdout);
        flockfile(stdout);
        puts("a line");
        funlockfile(stdout);
        funlockfile(stdout);
        return arg;
}
static void test(void)
{
        pthread_t t[2];
        pthread_mutex_t *heap;

        for (int i = 0; i < 2; i++)
                pthread_create(&t[i], NULL, f, NULL);
        for (int i = 0; i < 2; i++)
                pthread_join(t[i], NULL);
        pthread_cond_destroy(&c);
        pthread_cond_init(&c, NULL);
        pthread_cond_signal(&c);
        pthread_mutex_destroy(&m);
        m = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
        for (int i = 0; i < 2; i++) { /* the same memory, twice */
                heap = malloc(sizeof *heap);
                pthread_mutex_init(heap, NULL);
                pthread_mutex_lock(heap);
                if (i)
                        pthread_mutex_unlock(heap);
                free(heap);
        }
        pthread_create(&t[0], NULL, g, NULL);
        while (pthread_tryjoin_np(t[0], NULL)) /* it may be tried before it ends */
                sched_yield();
        pthread_mutex_lock(&m2); /* main may end with a lock */
}
#endif

int main(void)
{
        (void)run;
        (void)m2;
        pthread_spin_init(&spin, 0);
        pthread_barrier_init(&barrier, NULL, 2);
        sem_init(&sem, 0, 0);
        sem_init(&started, 0, 0);
        test();
        return 0;
}
