/*
 * The same program over the primitive itself, and with -DLIBRARY over one made of others (McMini, table 11): -DWHAT=1 a
 * barrier of a mutex, a count and a semaphore; 2 a condition variable of a mutex and a semaphore, and a broadcast; 3 a
 * semaphore of a mutex and a condition variable, as the forks of philosophers.  N threads.
 */
#include <pthread.h>
#include <semaphore.h>

#ifndef N
#define N 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#if WHAT == 1
#ifdef LIBRARY
static sem_t all;
static int arrived;

static void init(void)
{
        sem_init(&all, 0, 0);
}

static void meet(void)
{
        int last;

        pthread_mutex_lock(&lock);
        last = ++arrived == N;
        pthread_mutex_unlock(&lock);
        for (int i = 1; last && i < N; i++)
                sem_post(&all);
        if (!last)
                sem_wait(&all);
}
#else
static pthread_barrier_t barrier;

static void init(void)
{
        pthread_barrier_init(&barrier, NULL, N);
}

static void meet(void)
{
        pthread_barrier_wait(&barrier);
}
#endif

static void *run(void *arg)
{
        meet();
        return arg;
}

#elif WHAT == 2
#ifdef LIBRARY
static pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER;
static sem_t queue;
static int waiters;

static void init(void)
{
        sem_init(&queue, 0, 0);
}

static void wait_on(void)
{
        pthread_mutex_lock(&inner);
        waiters++;
        pthread_mutex_unlock(&inner);
        pthread_mutex_unlock(&lock);
        sem_wait(&queue);
        pthread_mutex_lock(&lock);
}

static void broadcast(void)
{
        pthread_mutex_lock(&inner);
        for (; waiters; waiters--)
                sem_post(&queue);
        pthread_mutex_unlock(&inner);
}
#else
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void init(void)
{
}

static void wait_on(void)
{
        pthread_cond_wait(&cond, &lock);
}

static void broadcast(void)
{
        pthread_cond_broadcast(&cond);
}
#endif

static int ready;

/* The last of the threads broadcasts. */
static void *run(void *arg)
{
        pthread_mutex_lock(&lock);
        if (++ready == N)
                broadcast();
        while (ready < N)
                wait_on();
        pthread_mutex_unlock(&lock);
        return arg;
}

#else
#ifdef LIBRARY
static struct fork {
        pthread_mutex_t lock;
        pthread_cond_t free;
        int value;
} forks[N];

static void init(void)
{
        for (int i = 0; i < N; i++) {
                pthread_mutex_init(&forks[i].lock, NULL);
                pthread_cond_init(&forks[i].free, NULL);
                forks[i].value = 1;
        }
}

static void take(int i)
{
        pthread_mutex_lock(&forks[i].lock);
        while (forks[i].value == 0)
                pthread_cond_wait(&forks[i].free, &forks[i].lock);
        forks[i].value--;
        pthread_mutex_unlock(&forks[i].lock);
}

static void put(int i)
{
        pthread_mutex_lock(&forks[i].lock);
        forks[i].value++;
        pthread_cond_signal(&forks[i].free);
        pthread_mutex_unlock(&forks[i].lock);
}
#else
static sem_t forks[N];

static void init(void)
{
        for (int i = 0; i < N; i++)
                sem_init(&forks[i], 0, 1);
}

static void take(int i)
{
        sem_wait(&forks[i]);
}

static void put(int i)
{
        sem_post(&forks[i]);
}
#endif

/* The last one takes them in the other order, so that no thread starves. */
static void *run(void *arg)
{
        int i = (int)(long)arg, left = i, right = (i + 1) % N;

        take(i == N - 1 ? right : left);
        take(i == N - 1 ? left : right);
        put(left);
        put(right);
        return arg;
}
#endif

int main(void)
{
        pthread_t threads[N];

        init();
        for (long i = 0; i < N; i++)
                pthread_create(&threads[i], NULL, run, (void *)i);
        for (int i = 0; i < N; i++)
                pthread_join(threads[i], NULL);
        return 0;
}
