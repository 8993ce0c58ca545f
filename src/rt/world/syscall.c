/*
 * System calls by number.
 *
 * Those that the runtime models are answered by the same wrappers as their functions in libc; those that would block the
 * one kernel thread, or reach other threads by numbers that are not theirs, are refused; all others are made, and trap.c
 * sees them.
 */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>

#include "rt/arch/x86_64/stub.h"
#include "rt/fault.h"
#include "rt/real.h"
#include "rt/rt.h"
#include "rt/sync/futex.h"
#include "rt/util.h"
#include "rt/world/trap.h"

/* unistd.h would declare syscall() with variable arguments. */
extern pid_t gettid(void);
extern ssize_t read(int fd, void *p, size_t n);
extern ssize_t write(int fd, const void *p, size_t n);
extern int close(int fd);
extern unsigned pause(void);

static long answer(long r)
{
        if (r >= 0 || r < -4095)
                return r;
        errno = (int)-r;
        return -1;
}

static void refuse(const char *name)
{
        char text[WIRE_TEXT];

        rt_format(text, sizeof text, "the system call %s (call the function of libc)", name);
        rt_refuse(text);
}

/* True: the call is answered, in *r. */
static bool modelled(long nr, const long *a, long *r, uintptr_t site)
{
        switch (nr) {
        case SYS_futex: *r = answer(futex_call(rt_cur, a, site)); return true;
        case SYS_gettid: *r = gettid(); return true;
        case SYS_sched_yield: *r = sched_yield(); return true;
        case SYS_nanosleep: *r = nanosleep((const struct timespec *)a[0], (struct timespec *)a[1]); return true;
        case SYS_clock_nanosleep:
                *r = answer(-clock_nanosleep((clockid_t)a[0], (int)a[1], (const struct timespec *)a[2],
                                             (struct timespec *)a[3]));
                return true;
        case SYS_clock_gettime: *r = clock_gettime((clockid_t)a[0], (struct timespec *)a[1]); return true;
        case SYS_gettimeofday: *r = gettimeofday((struct timeval *)a[0], (void *)a[1]); return true;
        case SYS_time: *r = time((time_t *)a[0]); return true;
        case SYS_getrandom: *r = getrandom((void *)a[0], (size_t)a[1], (unsigned)a[2]); return true;
        case SYS_sched_getaffinity:
                *r = sched_getaffinity((pid_t)a[0], (size_t)a[1], (cpu_set_t *)a[2]);
                *r = *r ? *r : (long)((size_t)a[1] < sizeof(cpu_set_t) ? (size_t)a[1] : sizeof(cpu_set_t));
                return true;
        case SYS_sched_setaffinity:
                *r = sched_setaffinity((pid_t)a[0], (size_t)a[1], (const cpu_set_t *)a[2]);
                return true;
        case SYS_read: *r = read((int)a[0], (void *)a[1], (size_t)a[2]); return true;
        case SYS_write: *r = write((int)a[0], (const void *)a[1], (size_t)a[2]); return true;
        case SYS_close: *r = close((int)a[0]); return true;
        case SYS_poll: *r = poll((struct pollfd *)a[0], (nfds_t)a[1], (int)a[2]); return true;
        case SYS_membarrier: *r = 0; return true; /* memory is sequentially consistent */
        }
        return false;
}

#define REFUSED(name) \
        case SYS_##name: refuse(#name); break

static void refuse_others(long nr)
{
        switch (nr) {
                REFUSED(tkill);
                REFUSED(tgkill);
                REFUSED(pause);
                REFUSED(ptrace);
                REFUSED(rt_sigsuspend);
                REFUSED(rt_sigtimedwait);
                REFUSED(futex_waitv);
                REFUSED(semop);
                REFUSED(semtimedop);
                REFUSED(msgrcv);
                REFUSED(msgsnd);
                REFUSED(mq_timedreceive);
                REFUSED(mq_timedsend);
                REFUSED(ppoll);
                REFUSED(select);
                REFUSED(pselect6);
                REFUSED(epoll_wait);
                REFUSED(epoll_pwait);
                REFUSED(pipe);
                REFUSED(pipe2);
                REFUSED(eventfd2);
                REFUSED(socketpair);
                REFUSED(listen);
                REFUSED(accept);
                REFUSED(accept4);
                REFUSED(connect);
        default: break;
        }
}

static long call(long nr, const long a[6], uintptr_t site)
{
        static long (*real)(long, ...);
        long r;

        if (rt_cur) {
                if (modelled(nr, a, &r, site))
                        return r;
                refuse_others(nr);
        }
        if (!real)
                real = (long (*)(long, ...))rt_real("syscall");
        return real(nr, a[0], a[1], a[2], a[3], a[4], a[5]);
}

RT_STUB(syscall, system_call, "default")
long system_call(long nr, long a, long b, long c, long d, long e, long f) __attribute__((used));
long system_call(long nr, long a, long b, long c, long d, long e, long f)
{
        const long args[6] = {a, b, c, d, e, f};

        return call(nr, args, RT_STUB_SITE());
}

/* The instruction leaves errno as it is. */
long syscall_perform(long nr, const long a[6], uintptr_t site)
{
        int old = errno;
        long r = call(nr, a, site);

        if (r == -1)
                r = -errno;
        errno = old;
        return r;
}
