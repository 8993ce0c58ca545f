/*
 * See time.h.  Every thread has a clock of its own, joined along happens-before by the wrappers, so that neither reading the
 * time nor sleeping is an operation on something shared.  At main it is 2024-01-01 00:00:00 UTC, monotonic clocks show 1000
 * seconds and processor time one second.  Before main clocks show one second less, so none goes back.
 */
#include "rt/world/time.h"

#include <errno.h>

#include "rt/memory/access.h"
#include "rt/threads.h"
#include "rt/world/modules.h"

static uint64_t early; /* the clock before the runtime is up */

static uint64_t *vtime(void)
{
        return &rt_cur->clock.vtime;
}

void time_pass(uint64_t ns)
{
        uint64_t *t = rt_on() ? vtime() : &early;

        *t = ns < FOREVER - *t ? *t + ns : FOREVER;
}

uint64_t time_base(clockid_t id)
{
        switch (id) {
        case CLOCK_REALTIME:
        case CLOCK_REALTIME_COARSE:
        case CLOCK_REALTIME_ALARM:
        case CLOCK_TAI: return WALL_BASE;
        case CLOCK_MONOTONIC:
        case CLOCK_MONOTONIC_RAW:
        case CLOCK_MONOTONIC_COARSE:
        case CLOCK_BOOTTIME:
        case CLOCK_BOOTTIME_ALARM: return MONO_BASE;
        case CLOCK_PROCESS_CPUTIME_ID:
        case CLOCK_THREAD_CPUTIME_ID: return CPU_BASE;
        default: return id < 0 ? CPU_BASE : UINT64_MAX; /* of another process or thread */
        }
}

/* The running thread asks for the time. */
static void note_read(void)
{
        if (rt.live && rt_cur && rt_cur->clock.joined)
                rt.up->clocks |= WIRE_CLOCKS_READ;
}

uint64_t time_now(uint64_t base)
{
        if (rt.up)
                note_read();
        return rt_on() ? base + *vtime() : base - NSEC + early;
}

void time_will_read(const void *p, size_t n, uintptr_t site)
{
        if (p && rt_on() && !rt_site_in_libc(site))
                access_range(OP_READ, p, n, site);
}

uint64_t time_joined(const struct timespec *ts)
{
        if (ts->tv_sec < 0 || ts->tv_nsec < 0 || ts->tv_nsec >= (long)NSEC)
                return UINT64_MAX;
        if ((uint64_t)ts->tv_sec >= FOREVER / NSEC)
                return FOREVER;
        return (uint64_t)ts->tv_sec * NSEC + (uint64_t)ts->tv_nsec;
}

bool clock_deadline(bool absolute, int clock, const struct timespec *ts, uint64_t *until)
{
        uint64_t ns = time_joined(ts), base = time_base(clock);

        if (ns == UINT64_MAX || base == UINT64_MAX)
                return false;
        if (absolute)
                note_read();
        if (absolute)
                *until = ns > base ? ns - base : 0;
        else
                *until = ns < FOREVER - *vtime() ? *vtime() + ns : FOREVER;
        return true;
}

int rt_deadline(int clock, const void *timespec, uint64_t *at, uintptr_t site)
{
        struct timespec ts;
        uint64_t base = time_base(clock), ns;

        if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
                return EINVAL;
        time_will_read(timespec, sizeof ts, site);
        ts = *(const struct timespec *)timespec;
        if (ts.tv_sec < 0 && ts.tv_nsec >= 0 && ts.tv_nsec < (long)NSEC)
                ts.tv_sec = ts.tv_nsec = 0;
        ns = time_joined(&ts);
        if (ns == UINT64_MAX)
                return EINVAL;
        if (rt.down->timeouts != WIRE_TIMEOUTS_EXPLORE) /* else it may pass at any time */
                note_read();
        *at = ns > base ? ns - base : 0;
        return 0;
}
