/* Names, numbers, priorities, processors, attributes, a signal to itself. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <assert.h>
#include <errno.h>
#include <unistd.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
static volatile int got;
static void h(int s)
{
        got = s;
}
static void *w(void *a)
{
        char nm[16];
        assert(!pthread_setname_np(pthread_self(), "abc"));
        assert(!pthread_getname_np(pthread_self(), nm, 16));
        assert(nm[0] == 'a' && !nm[3]);
        cpu_set_t s;
        CPU_ZERO(&s);
        CPU_SET(0, &s);
        assert(!pthread_setaffinity_np(pthread_self(), sizeof s, &s));
        CPU_ZERO(&s);
        assert(!pthread_getaffinity_np(pthread_self(), sizeof s, &s));
        assert(CPU_COUNT(&s) == 1);
        struct sched_param p = {5};
        int pol;
        assert(!pthread_setschedparam(pthread_self(), SCHED_FIFO, &p));
        p.sched_priority = 0;
        assert(!pthread_getschedparam(pthread_self(), &pol, &p));
        assert(pol == SCHED_FIFO && p.sched_priority == 5);
        assert(pthread_setschedparam(pthread_self(), SCHED_OTHER, &p) == EINVAL);
        pthread_attr_t at;
        int d;
        assert(!pthread_getattr_np(pthread_self(), &at));
        pthread_attr_getdetachstate(&at, &d);
        assert(d == PTHREAD_CREATE_JOINABLE);
        void *sa;
        size_t ss;
        pthread_attr_getstack(&at, &sa, &ss);
        assert((char *)&at > (char *)sa && (char *)&at < (char *)sa + ss);
        pthread_attr_destroy(&at);
        assert(gettid() != getpid());
        assert(!pthread_kill(pthread_self(), 0));
        signal(SIGUSR1, h);
        assert(!pthread_kill(pthread_self(), SIGUSR1));
        assert(got == SIGUSR1);
        clockid_t c;
        assert(!pthread_getcpuclockid(pthread_self(), &c));
        struct timespec ts;
        assert(!clock_gettime(c, &ts));
        assert(!pthread_setconcurrency(3) && pthread_getconcurrency() == 3);
        return (void *)(long)sched_getcpu();
}
static void pre(void)
{
}
int main()
{
        pthread_t t;
        void *r;
        pthread_attr_t a;
        pthread_attr_init(&a);
        pthread_attr_setstacksize(&a, 1 << 16);
        pthread_attr_setguardsize(&a, 0);
        pthread_attr_setinheritsched(&a, PTHREAD_EXPLICIT_SCHED);
        pthread_atfork(pre, 0, 0);
        assert(gettid() == getpid());
        assert(!pthread_getattr_np(pthread_self(), &(pthread_attr_t){0}));
        pthread_create(&t, &a, w, 0);
        assert(!pthread_kill(t, 0));
        pthread_join(t, &r);
        assert(!pthread_kill(t, 0));
        return (int)(long)r;
}
