/*
 * Threads that are asked to end.
 *
 * TEST: between two stores.  JOIN: while one joins another, or may do so.  NEVER: before it can.  SIGNALLED: one of two waiters,
 * which may have been woken by the only signal.  TIMED: in a wait with a deadline.  HANDLER: while one waits for a semaphore, with a
 * handler that gives its lock back.  OFF: one that does not permit it while it waits.  RACE: the handler comes after the request.
 * RELAXED: ... where clocks are a part of the state.
 */
#include <heddle/heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int x;
static int y;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t sem;
static pthread_t one, two;

static void unlock(void *arg)
{
        pthread_mutex_unlock(arg);
}

#if defined TEST
static void *first(void *arg)
{
        x = 1;
        pthread_testcancel();
        x = 2;
        pthread_testcancel();
        x = 3;
        return arg;
}

static void meet(void)
{
        pthread_create(&one, 0, first, 0);
        pthread_cancel(one);
        y = x;
        pthread_join(one, 0);
}
#elif defined JOIN
static void *second(void *arg)
{
        x += 1;
        return arg;
}

static void *first(void *arg)
{
        x += 10;
        pthread_join(two, 0);
        x += 100;
        return arg;
}

static void meet(void)
{
        pthread_create(&two, 0, second, 0);
        pthread_create(&one, 0, first, 0);
        if (x == 11)
                pthread_cancel(one);
        pthread_join(one, 0);
        y = x;
}
#elif defined NEVER
static void *second(void *arg)
{
        pthread_mutex_lock(&lock);
        x = 1;
        pthread_mutex_unlock(&lock);
        return arg;
}

static void *first(void *arg)
{
        pthread_join(two, 0);
        x = 2;
        return arg;
}

static void meet(void)
{
        pthread_mutex_lock(&lock);
        pthread_create(&two, 0, second, 0);
        pthread_create(&one, 0, first, 0);
        pthread_cancel(one);
        pthread_mutex_unlock(&lock);
        pthread_join(one, 0);
        y = x;
}
#elif defined SIGNALLED
static void *first(void *arg)
{
        pthread_mutex_lock(&lock);
        pthread_cleanup_push(unlock, &lock);
        y++;
        pthread_cond_wait(&cond, &lock);
        pthread_cleanup_pop(1);
        return arg;
}

static void meet(void)
{
        pthread_create(&one, 0, first, 0);
        pthread_create(&two, 0, first, 0);
        pthread_mutex_lock(&lock);
        if (y)
                pthread_cond_signal(&cond);
        pthread_mutex_unlock(&lock);
        pthread_cancel(one);
        pthread_join(one, 0);
        pthread_join(two, 0);
}
#elif defined TIMED
static void *first(void *arg)
{
        struct timespec t = {1, 0};
        pthread_mutex_lock(&lock);
        pthread_cleanup_push(unlock, &lock);
        y = pthread_cond_timedwait(&cond, &lock, &t) != 0;
        x = 1;
        pthread_cleanup_pop(1);
        return arg;
}

static void meet(void)
{
        pthread_create(&one, 0, first, 0);
        pthread_mutex_lock(&lock);
        pthread_cond_signal(&cond);
        pthread_mutex_unlock(&lock);
        pthread_cancel(one);
        pthread_join(one, 0);
}
#elif defined HANDLER
static void *first(void *arg)
{
        pthread_mutex_lock(&lock);
        pthread_cleanup_push(unlock, &lock);
        sem_wait(&sem);
        x = 1;
        pthread_cleanup_pop(1);
        return arg;
}

static void meet(void)
{
        sem_init(&sem, 0, 0);
        pthread_create(&one, 0, first, 0);
        pthread_create(&two, 0, first, 0);
        sem_post(&sem);
        pthread_cancel(one);
        pthread_join(one, 0);
        pthread_join(two, 0);
}
#elif defined OFF
static void *first(void *arg)
{
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);
        pthread_mutex_lock(&lock);
        while (!y)
                pthread_cond_wait(&cond, &lock);
        pthread_mutex_unlock(&lock);
        pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0);
        pthread_testcancel();
        x = 1;
        return arg;
}

static void meet(void)
{
        pthread_create(&one, 0, first, 0);
        pthread_mutex_lock(&lock);
        y = 1;
        pthread_cond_signal(&cond);
        pthread_mutex_unlock(&lock);
        pthread_cancel(one);
        pthread_join(one, 0);
}
#else
#ifdef RELAXED
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_seq_cst
#endif
static void ended(void *arg)
{
        (void)arg;
        y = 1; /* after the request */
}

static void *first(void *arg)
{
        pthread_cleanup_push(ended, 0);
        pthread_testcancel();
        atomic_store_explicit(&x, 1, ORDER);
        pthread_cleanup_pop(0);
        return arg;
}

static void meet(void)
{
        pthread_create(&one, 0, first, 0);
        y = 2;
        pthread_cancel(one);
        if (atomic_load_explicit(&x, ORDER) == 0)
                y = 3; /* unordered with the handler */
        pthread_join(one, 0);
}
#endif

int main(void)
{
        (void)unlock;
        (void)two;
        (void)sem;
        meet();
        return 0;
}
