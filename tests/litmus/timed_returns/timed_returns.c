/* What the timed calls return when no other thread is there, and where the clocks stand afterwards. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static struct timespec in(clockid_t clock, int seconds)
{
        struct timespec ts;

        clock_gettime(clock, &ts);
        ts.tv_sec += seconds;
        return ts;
}

/* Is it that time, or later? */
static int reached(clockid_t clock, struct timespec ts)
{
        struct timespec now;

        clock_gettime(clock, &now);
        return now.tv_sec > ts.tv_sec || (now.tv_sec == ts.tv_sec && now.tv_nsec >= ts.tv_nsec);
}

static const struct timespec past = {1, 0}, before_1970 = {-1, 0}, wrong = {0, 1000000000}, wrong_too = {0, -1};

static void mutexes(void)
{
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, check = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
        pthread_mutex_t again = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
        struct timespec ts = in(CLOCK_REALTIME, 5);

        assert(pthread_mutex_timedlock(&m, &wrong) == 0); /* it need not wait */
        assert(pthread_mutex_timedlock(&m, &wrong) == EINVAL);
        assert(pthread_mutex_timedlock(&m, &ts) == ETIMEDOUT && reached(CLOCK_REALTIME, ts));
        ts = in(CLOCK_MONOTONIC, 7);
        assert(pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &ts) == ETIMEDOUT && reached(CLOCK_MONOTONIC, ts));
        assert(pthread_mutex_clocklock(&m, CLOCK_PROCESS_CPUTIME_ID, &ts) == EINVAL);
        assert(pthread_mutex_timedlock(&m, &past) == ETIMEDOUT);
        assert(pthread_mutex_timedlock(&m, &before_1970) == ETIMEDOUT);
        assert(pthread_mutex_timedlock(&check, &ts) == 0 && pthread_mutex_timedlock(&check, &ts) == EDEADLK);
        assert(pthread_mutex_timedlock(&again, &ts) == 0 && pthread_mutex_timedlock(&again, &ts) == 0);
}

static void semaphores(void)
{
        struct timespec ts = in(CLOCK_REALTIME, 5);
        sem_t s;

        sem_init(&s, 0, 1);
        assert(sem_timedwait(&s, &wrong) == -1 && errno == EINVAL);
        assert(sem_timedwait(&s, &past) == 0);
        assert(sem_timedwait(&s, &ts) == -1 && errno == ETIMEDOUT && reached(CLOCK_REALTIME, ts));
        ts = in(CLOCK_MONOTONIC, 5);
        assert(sem_clockwait(&s, CLOCK_MONOTONIC, &ts) == -1 && errno == ETIMEDOUT && reached(CLOCK_MONOTONIC, ts));
        assert(sem_clockwait(&s, CLOCK_TAI, &ts) == -1 && errno == EINVAL);
}

static void conditions(void)
{
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        pthread_cond_t c = PTHREAD_COND_INITIALIZER, mono;
        pthread_condattr_t attr;
        struct timespec ts = in(CLOCK_REALTIME, 5);

        pthread_condattr_init(&attr);
        pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
        pthread_cond_init(&mono, &attr);
        pthread_mutex_lock(&m);
        assert(pthread_cond_timedwait(&c, &m, &wrong_too) == EINVAL);
        assert(pthread_cond_timedwait(&c, &m, &ts) == ETIMEDOUT && reached(CLOCK_REALTIME, ts));
        assert(pthread_cond_timedwait(&c, &m, &past) == ETIMEDOUT);
        ts = in(CLOCK_MONOTONIC, 5);
        assert(pthread_cond_timedwait(&mono, &m, &ts) == ETIMEDOUT && reached(CLOCK_MONOTONIC, ts));
        ts = in(CLOCK_MONOTONIC, 5);
        assert(pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &ts) == ETIMEDOUT && reached(CLOCK_MONOTONIC, ts));
        assert(pthread_cond_clockwait(&c, &m, CLOCK_BOOTTIME, &ts) == EINVAL);
        assert(pthread_mutex_trylock(&m) == EBUSY); /* it came back with the mutex */
        assert(pthread_mutex_unlock(&m) == 0);
}

static void rwlocks(void)
{
        pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
        struct timespec ts = in(CLOCK_REALTIME, 5);

        assert(pthread_rwlock_timedrdlock(&l, &wrong) == EINVAL && pthread_rwlock_timedwrlock(&l, &wrong) == EINVAL);
        assert(pthread_rwlock_timedrdlock(&l, &past) == 0);
        assert(pthread_rwlock_timedrdlock(&l, &past) == 0);
        assert(pthread_rwlock_timedwrlock(&l, &ts) == ETIMEDOUT && reached(CLOCK_REALTIME, ts));
        assert(pthread_rwlock_unlock(&l) == 0 && pthread_rwlock_unlock(&l) == 0);
        assert(pthread_rwlock_timedwrlock(&l, &past) == 0);
        assert(pthread_rwlock_timedrdlock(&l, &ts) == EDEADLK && pthread_rwlock_timedwrlock(&l, &ts) == EDEADLK);
        assert(pthread_rwlock_clockrdlock(&l, CLOCK_TAI, &ts) == EINVAL);
        assert(pthread_rwlock_unlock(&l) == 0);
        assert(pthread_rwlock_clockwrlock(&l, CLOCK_MONOTONIC, &ts) == 0);
        assert(pthread_rwlock_unlock(&l) == 0);
        assert(pthread_rwlock_clockrdlock(&l, CLOCK_MONOTONIC, &ts) == 0);
        assert(pthread_rwlock_unlock(&l) == 0);
}

int main(void)
{
        mutexes();
        semaphores();
        conditions();
        rwlocks();
        return 0;
}
