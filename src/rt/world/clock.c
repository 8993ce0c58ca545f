/*
 * Clocks and sleeping, over virtual time (time.h).
 *
 * Time passes in two ways: a sleep adds its duration and takes no real time; a question adds a microsecond, so that a
 * loop that waits for a deadline ends.
 */
#include "rt/world/clock.h"

#include <errno.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "rt/arch/x86_64/stub.h"
#include "rt/memory/access.h"
#include "rt/memory/malloc.h"
#include "rt/real.h"
#include "rt/loops/cycle.h"
#include "rt/sched/section.h"
#include "rt/loops/spin.h"
#include "rt/thread/cancel.h"
#include "rt/sched/path.h"
#include "rt/threads.h"
#include "rt/signal/mask_calls.h"
#include "rt/txn/speculation.h"
#include "rt/world/modules.h"
#include "rt/world/time.h"

#define QUESTION UINT64_C(1000) /* what it takes to ask */

/* The running thread asks for the time, which no loop undoes: how often it has asked before. */
static uint32_t asked(void)
{
        spin_progress(rt_cur);
        cycle_asked();
        return rt_cur->clock.n_asked++;
}

static bool virtual_time(void)
{
        return rt_on() || heap_is_target();
}

/* Time passes faster for a thread that keeps asking: a loop that waits for a point in time comes to its end soon. */
static uint64_t show(uint64_t base)
{
        uint32_t n = rt_on() ? asked() : 0;

        if (base == CPU_BASE && rt_on()) /* the other clocks need no system call */
                speculation_kernel(rt_cur);
        time_pass(QUESTION << (n < 64 ? 0 : n < 112 ? (n - 64) / 2 : 24));
        return time_now(base);
}

static uint64_t clock_show(uint64_t base)
{
        uint64_t now = show(base), recorded;

        return RT_UNLIKELY(path_on) && path_input(REC_CLOCK, &recorded) ? recorded : now;
}

/* The caller's memory is written: an access like any other, where it is shared. */
static void will_write(void *p, size_t n, uintptr_t site)
{
        if (p && rt_on() && !rt_site_in_libc(site))
                access_range(OP_WRITE, p, n, site);
}

static void split(uint64_t ns, struct timespec *ts)
{
        ts->tv_sec = (time_t)(ns / NSEC);
        ts->tv_nsec = (long)(ns % NSEC);
}

/* A thread that sleeps lets others go first, or a loop that polls and sleeps would never end. */
uint64_t clock_sleep(uint64_t ns, uintptr_t site)
{
        uint64_t left;

        cancel_point(site);
        if (RT_UNLIKELY(rt.sends_signals) && rt_on() && rt.live && ns) {
                left = signal_sleep(rt_cur, ns, site);
                if (left)
                        return left;
        }
        time_pass(ns);
        if (rt_on())
                rt_yield_kernel(site);
        return 0;
}

/* Returns an error number. */
static int sleep_checked(clockid_t id, int flags, const struct timespec *ts, struct timespec *rest, uintptr_t site)
{
        uint64_t base = time_base(id), ns, now, left;

        if (base == UINT64_MAX || id == CLOCK_THREAD_CPUTIME_ID)
                return EINVAL;
        time_will_read(ts, sizeof(*ts), site);
        ns = time_joined(ts);
        if (ns == UINT64_MAX)
                return EINVAL;
        if (flags & TIMER_ABSTIME) {
                now = time_now(base);
                ns = ns > now ? ns - now : 0;
        }
        left = clock_sleep(ns, site);
        if (left && rest && !(flags & TIMER_ABSTIME)) {
                will_write(rest, sizeof *rest, site);
                split(left, rest);
        }
        return left ? EINTR : 0;
}

uint64_t clock_ticks(void)
{
        return show(time_base(CLOCK_MONOTONIC)); /* the processor's: it is not recorded */
}

RT_EXPORT int clock_gettime(clockid_t id, struct timespec *ts)
{
        uint64_t base;

        if (!virtual_time())
                return RT_REAL(clock_gettime)(id, ts);
        base = time_base(id);
        if (base == UINT64_MAX) {
                errno = EINVAL;
                return -1;
        }
        will_write(ts, sizeof(*ts), RT_SITE());
        split(clock_show(base), ts);
        return 0;
}

RT_EXPORT int timespec_get(struct timespec *ts, int base)
{
        if (!virtual_time())
                return RT_REAL(timespec_get)(ts, base);
        if (base != TIME_UTC)
                return 0;
        will_write(ts, sizeof(*ts), RT_SITE());
        split(clock_show(WALL_BASE), ts);
        return base;
}

RT_EXPORT int gettimeofday(struct timeval *restrict tv, void *restrict tz)
{
        struct timezone *zone = tz;
        uint64_t ns;

        if (!virtual_time())
                return RT_REAL(gettimeofday)(tv, tz);
        will_write(tv, sizeof(*tv), RT_SITE());
        ns = clock_show(WALL_BASE);
        tv->tv_sec = (time_t)(ns / NSEC);
        tv->tv_usec = (suseconds_t)(ns % NSEC / 1000);
        if (zone) {
                zone->tz_minuteswest = 0;
                zone->tz_dsttime = 0;
        }
        return 0;
}

RT_EXPORT time_t time(time_t *out)
{
        time_t t;

        if (!virtual_time())
                return RT_REAL(time)(out);
        will_write(out, sizeof(*out), RT_SITE());
        t = (time_t)(clock_show(WALL_BASE) / NSEC);
        if (out)
                *out = t;
        return t;
}

RT_EXPORT clock_t clock(void)
{
        if (!virtual_time())
                return RT_REAL(clock)();
        return (clock_t)(clock_show(CPU_BASE) / (NSEC / CLOCKS_PER_SEC));
}

RT_STUB(nanosleep, entry_nanosleep, "default")
int entry_nanosleep(const struct timespec *ts, struct timespec *left) __attribute__((used, visibility("hidden")));
int entry_nanosleep(const struct timespec *ts, struct timespec *left)
{
        int err;

        if (!virtual_time())
                return RT_REAL(nanosleep)(ts, left);
        err = sleep_checked(CLOCK_REALTIME, 0, ts, left, RT_STUB_SITE());
        if (err)
                errno = err;
        return err ? -1 : 0;
}

RT_STUB(clock_nanosleep, entry_clock_nanosleep, "default")
int entry_clock_nanosleep(clockid_t id, int flags, const struct timespec *ts, struct timespec *left)
        __attribute__((used, visibility("hidden")));
int entry_clock_nanosleep(clockid_t id, int flags, const struct timespec *ts, struct timespec *left)
{
        if (!virtual_time())
                return RT_REAL(clock_nanosleep)(id, flags, ts, left);
        return sleep_checked(id, flags, ts, left, RT_STUB_SITE());
}

RT_STUB(thrd_sleep, entry_thrd_sleep, "default")
int entry_thrd_sleep(const struct timespec *ts, struct timespec *left) __attribute__((used, visibility("hidden")));
int entry_thrd_sleep(const struct timespec *ts, struct timespec *left)
{
        if (!virtual_time())
                return RT_REAL(thrd_sleep)(ts, left);
        int err = sleep_checked(CLOCK_REALTIME, 0, ts, left, RT_STUB_SITE());
        return err == EINTR ? -1 : err ? -2 : 0;
}

RT_STUB(usleep, entry_usleep, "default")
int entry_usleep(useconds_t us) __attribute__((used, visibility("hidden")));
int entry_usleep(useconds_t us)
{
        if (!virtual_time())
                return RT_REAL(usleep)(us);
        if (!clock_sleep((uint64_t)us * 1000, RT_STUB_SITE()))
                return 0;
        errno = EINTR;
        return -1;
}

RT_STUB(sleep, entry_sleep, "default")
unsigned entry_sleep(unsigned seconds) __attribute__((used, visibility("hidden")));
unsigned entry_sleep(unsigned seconds)
{
        if (!virtual_time())
                return RT_REAL(sleep)(seconds);
        return (unsigned)(clock_sleep((uint64_t)seconds * NSEC, RT_STUB_SITE()) / NSEC);
}
