/* One thread waits with a deadline for what another gives (unless -DNOTHING): operation OP. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

enum op { MUTEX, MUTEX_CLOCK, C11_MUTEX, READ, WRITE, SEM, SEM_CLOCK, COND, COND_CLOCK, C11_COND, JOIN, JOIN_CLOCK, FUTEX,
          POLL, SELECT, EPOLL };

int late;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static mtx_t mtx;
static cnd_t cnd;
static sem_t sem;
static atomic_int word;
static int fd[2], epfd, ready;
static pthread_t giver;

static struct timespec in(clockid_t clock, int seconds)
{
        struct timespec ts;

        clock_gettime(clock, &ts);
        ts.tv_sec += seconds;
        return ts;
}

static int signalled(int clocked)
{
        struct timespec ts = in(clocked ? CLOCK_MONOTONIC : CLOCK_REALTIME, 5);
        int err = 0;

        pthread_mutex_lock(&mutex);
        while (!ready && !err)
                err = clocked ? pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, &ts)
                              : pthread_cond_timedwait(&cond, &mutex, &ts);
        err = !ready;
        pthread_mutex_unlock(&mutex);
        return err;
}

static int c11_signalled(void)
{
        struct timespec ts = in(CLOCK_REALTIME, 5);
        int err = 0;

        mtx_lock(&mtx);
        while (!ready && !err)
                err = cnd_timedwait(&cnd, &mtx, &ts);
        err = !ready;
        mtx_unlock(&mtx);
        return err;
}

static int selected(void)
{
        struct timeval five = {5, 0};
        fd_set set;

        FD_ZERO(&set);
        FD_SET(fd[0], &set);
        return select(fd[0] + 1, &set, NULL, NULL, &five);
}

/* 0, or it was too late. */
static int waits(void)
{
        struct timespec real = in(CLOCK_REALTIME, 5), monotonic = in(CLOCK_MONOTONIC, 5), five = {5, 0};
        struct pollfd p = {.fd = fd[0], .events = POLLIN};
        struct epoll_event e;

        switch (OP) {
        case MUTEX: return pthread_mutex_timedlock(&mutex, &real);
        case MUTEX_CLOCK: return pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &monotonic);
        case C11_MUTEX: return mtx_timedlock(&mtx, &real);
        case READ: return pthread_rwlock_timedrdlock(&rwlock, &real);
        case WRITE: return pthread_rwlock_clockwrlock(&rwlock, CLOCK_MONOTONIC, &monotonic);
        case SEM: return sem_timedwait(&sem, &real);
        case SEM_CLOCK: return sem_clockwait(&sem, CLOCK_MONOTONIC, &monotonic);
        case COND: return signalled(0);
        case COND_CLOCK: return signalled(1);
        case C11_COND: return c11_signalled();
        case JOIN: return pthread_timedjoin_np(giver, NULL, &real);
        case JOIN_CLOCK: return pthread_clockjoin_np(giver, NULL, CLOCK_MONOTONIC, &monotonic);
        case FUTEX: return syscall(SYS_futex, &word, FUTEX_WAIT, 0, &five, NULL, 0) && errno == ETIMEDOUT;
        case POLL: return poll(&p, 1, 5000) == 0;
        case SELECT: return selected() == 0;
        default: return epoll_wait(epfd, &e, 1, 5000) == 0;
        }
}

/* The mutexes are free by now. */
static void gives(void)
{
        switch (OP) {
        case COND:
        case COND_CLOCK:
        case C11_COND:
                pthread_mutex_lock(&mutex);
                mtx_lock(&mtx);
                ready = 1;
                pthread_cond_signal(&cond);
                cnd_signal(&cnd);
                mtx_unlock(&mtx);
                pthread_mutex_unlock(&mutex);
                break;
        case READ:
        case WRITE: pthread_rwlock_unlock(&rwlock); break;
        case SEM:
        case SEM_CLOCK: sem_post(&sem); break;
        case FUTEX:
                word = 1;
                syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
                break;
        case POLL:
        case SELECT:
        case EPOLL: write(fd[1], "a", 1); break;
        default: break;
        }
}

/* A thread that waits for a lock finds it taken by main. */
static void *waiter(void *arg)
{
        struct timespec before = in(CLOCK_MONOTONIC, 0), after;

        late = waits() != 0;
        after = in(CLOCK_MONOTONIC, 0);
        assert(!late || after.tv_sec >= before.tv_sec + 5);
        if (!late && OP <= MUTEX_CLOCK)
                pthread_mutex_unlock(&mutex);
        if (!late && OP == C11_MUTEX)
                mtx_unlock(&mtx);
        if (!late && (OP == READ || OP == WRITE))
                pthread_rwlock_unlock(&rwlock);
        return arg;
}

static void *idle(void *arg)
{
#ifdef NOTHING
        sem_t never;
        sem_init(&never, 0, 0);
        sem_wait(&never);
#endif
        return arg;
}

int main(void)
{
        struct epoll_event e = {.events = EPOLLIN};
        pthread_t t;

        mtx_init(&mtx, mtx_timed);
        cnd_init(&cnd);
        sem_init(&sem, 0, 0);
        if (OP >= POLL) {
                pipe(fd);
                epfd = epoll_create1(0);
                epoll_ctl(epfd, EPOLL_CTL_ADD, fd[0], &e);
        }
        pthread_mutex_lock(&mutex);
        mtx_lock(&mtx);
        pthread_rwlock_wrlock(&rwlock);
        if (OP == JOIN || OP == JOIN_CLOCK)
                pthread_create(&giver, NULL, idle, NULL);
        pthread_create(&t, NULL, waiter, NULL);
#ifdef NOTHING
        if (OP == COND || OP == COND_CLOCK || OP == C11_COND) {
                pthread_mutex_unlock(&mutex);
                mtx_unlock(&mtx);
        }
#else
        pthread_mutex_unlock(&mutex);
        mtx_unlock(&mtx);
        gives();
#endif
        pthread_join(t, NULL);
        _exit(0);
}
