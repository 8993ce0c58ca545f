/*
 * Calls inside a transaction, with --abort-codes none: those that come to the kernel abort it with 0, those that do not are part of it.
 * So do the instructions cpuid and pause.
 * WAITED: a thread waits on the condition variable, and another has the locks.
 */
#define _GNU_SOURCE
#include "txn_test.h"
#include <poll.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/random.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, held = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static sem_t sem;
static struct timespec short_time = {0, 1000}, now;
static int waits;

enum { COMMITS, ABORTS };

/* The status of a transaction with this inside. */
#define INSIDE(call)                             \
        __extension__({                          \
                unsigned status = _xbegin();     \
                if (status == _XBEGIN_STARTED) { \
                        (void)(call);            \
                        _xend();                 \
                }                                \
                status;                          \
        })
#define CHECK(how, call) assert(INSIDE(call) == (how == ABORTS ? 0 : _XBEGIN_STARTED))

#ifdef WAITED
static void *waiter(void *arg)
{
        pthread_mutex_lock(&m);
        waits = 1;
        while (waits)
                pthread_cond_wait(&c, &m);
        pthread_mutex_unlock(&m);
        return arg;
}

static void work(intptr_t me)
{
        int there;

        if (me)
                return;
        pthread_mutex_lock(&m);
        there = waits;
        waits = 0;
        if (there) {
                CHECK(ABORTS, pthread_cond_signal(&c));
                CHECK(ABORTS, pthread_cond_broadcast(&c));
        } else {
                CHECK(COMMITS, pthread_cond_signal(&c));
        }
        pthread_cond_signal(&c);
        waits = 0;
        CHECK(ABORTS, pthread_mutex_lock(&m));
        CHECK(ABORTS, pthread_mutex_timedlock(&m, &short_time));
        CHECK(COMMITS, pthread_mutex_trylock(&m));
        CHECK(ABORTS, sem_wait(&sem));
        CHECK(ABORTS, sem_timedwait(&sem, &short_time));
        CHECK(COMMITS, sem_trywait(&sem));
        pthread_mutex_unlock(&m);
}
#else
static void work(intptr_t me)
{
        unsigned leaf = 0;
        char byte;

        (void)me;
        CHECK(ABORTS, __extension__({
                      __asm__ volatile("cpuid" : "+a"(leaf) : : "rbx", "rcx", "rdx");
                      0;
              }));
        CHECK(ABORTS, (_mm_pause(), 0));
        _mm_pause();
        CHECK(ABORTS, usleep(1));
        CHECK(ABORTS, sleep(1));
        CHECK(ABORTS, nanosleep(&short_time, NULL));
        CHECK(ABORTS, clock_nanosleep(CLOCK_MONOTONIC, 0, &short_time, NULL));
        CHECK(ABORTS, (thrd_yield(), 0));
        CHECK(ABORTS, sched_yield());
        CHECK(ABORTS, poll(NULL, 0, 0));
        CHECK(ABORTS, pthread_kill(pthread_self(), 0));
        CHECK(ABORTS, getrandom(&byte, 1, 0));
        CHECK(ABORTS, clock());
        CHECK(ABORTS, getppid());
        CHECK(ABORTS, write(2, "", 0));
        CHECK(ABORTS, *(volatile int *)0);
        CHECK(COMMITS, clock_gettime(CLOCK_MONOTONIC, &now));
        CHECK(COMMITS, pthread_mutex_lock(&held) + pthread_mutex_unlock(&held));
        CHECK(COMMITS, pthread_rwlock_rdlock(&rw) + pthread_rwlock_unlock(&rw));
        CHECK(COMMITS, sem_post(&sem) + sem_wait(&sem));
        CHECK(COMMITS, pthread_cond_signal(&c));
        CHECK(COMMITS, (free(malloc(8)), 0));
}
#endif

int main(void)
{
        sem_init(&sem, 0, 0);
#ifdef WAITED
        pthread_t t;

        pthread_create(&t, NULL, waiter, NULL);
        run();
        pthread_mutex_lock(&m);
        waits = 0;
        pthread_cond_signal(&c);
        pthread_mutex_unlock(&m);
        pthread_detach(t);
#else
        run();
#endif
}
