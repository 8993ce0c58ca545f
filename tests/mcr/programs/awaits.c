/* A thread waits for another one in different ways. */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int f, g;
static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

#if defined SPIN /* both see what the other has written, however often they look */
static void *first(void *arg)
{
        x = 1;
        f = 1;
        while (!g)
                ;
        return arg;
}
static void *second(void *arg)
{
        while (!f)
                ;
        x = 2;
        g = 1;
        return arg;
}
#elif defined FUTEX /* the wakeup may come too early: a deadlock */
static void *first(void *arg)
{
        syscall(SYS_futex, &f, FUTEX_WAIT, 0, 0, 0, 0);
        return arg;
}
static void *second(void *arg)
{
        syscall(SYS_futex, &f, FUTEX_WAKE, 1, 0, 0, 0);
        return arg;
}
#elif defined TIMED /* woken, or too late; the signal finds a waiter or does not: both are woken, or it is late */
static void *first(void *arg)
{
        pthread_mutex_lock(&m);
        x = pthread_cond_timedwait(&c, &m, &(struct timespec){.tv_sec = 1}) ? 1 : 2;
        pthread_mutex_unlock(&m);
        return arg;
}
static void *second(void *arg)
{
        pthread_mutex_lock(&m);
        pthread_cond_signal(&c);
        pthread_mutex_unlock(&m);
        return arg;
}
#else               /* the mutex is given in the order of waiting, or against it; each can tell how many came before */
static void *first(void *arg)
{
        pthread_mutex_lock(&m);
        x++;
        pthread_mutex_unlock(&m);
        return arg;
}
#define second first
#endif

int main(void)
{
        pthread_t t[2];

        pthread_create(&t[0], 0, first, 0);
        pthread_create(&t[1], 0, second, 0);
#ifdef TRY /* ended, or not yet */
        if (!pthread_tryjoin_np(t[0], 0))
                t[0] = 0;
#endif
#ifdef LOCK
        pthread_t third;

        pthread_create(&third, 0, first, 0);
        pthread_join(third, 0);
#endif
        if (t[0])
                pthread_join(t[0], 0);
        pthread_join(t[1], 0);
        return 0;
}
