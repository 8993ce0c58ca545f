/*
 * Inputs of a recorded program that are not in its arguments, environment and files: clocks and random numbers.  Each value is an entry
 * of its thread.  Clocks count in nanoseconds, as the runtime does (rt/world/clock.c).
 */
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/time.h>
#include <time.h>

#include "rt/record/recorder.h"

#define NSEC UINT64_C(1000000000)

static void *real_clock_gettime, *real_timespec_get, *real_gettimeofday, *real_time, *real_clock, *real_rand,
        *real_random, *real_getrandom;

static void note(uint64_t value)
{
        recorder_note(REC_INPUT, (const void *)(uintptr_t)value);
}

static void note_time(const struct timespec *ts)
{
        note((uint64_t)ts->tv_sec * NSEC + (uint64_t)ts->tv_nsec);
}

RT_EXPORT int clock_gettime(clockid_t id, struct timespec *ts)
{
        int e = REC_REAL(clock_gettime)(id, ts);

        if (rec && !e)
                note_time(ts);
        return e;
}

RT_EXPORT int timespec_get(struct timespec *ts, int base)
{
        int e = REC_REAL(timespec_get)(ts, base);

        if (rec && e)
                note_time(ts);
        return e;
}

RT_EXPORT int gettimeofday(struct timeval *restrict tv, void *restrict tz)
{
        int e = REC_REAL(gettimeofday)(tv, tz);

        if (rec && !e)
                note((uint64_t)tv->tv_sec * NSEC + (uint64_t)tv->tv_usec * 1000);
        return e;
}

RT_EXPORT time_t time(time_t *out)
{
        time_t t = REC_REAL(time)(out);

        if (rec)
                note((uint64_t)t * NSEC);
        return t;
}

RT_EXPORT clock_t clock(void)
{
        clock_t t = REC_REAL(clock)();

        if (rec)
                note((uint64_t)t * (NSEC / CLOCKS_PER_SEC));
        return t;
}

RT_EXPORT int rand(void)
{
        int n = REC_REAL(rand)();

        if (rec)
                note((uint64_t)n);
        return n;
}

RT_EXPORT long random(void)
{
        long n = REC_REAL(random)();

        if (rec)
                note((uint64_t)n);
        return n;
}

RT_EXPORT ssize_t getrandom(void *buf, size_t n, unsigned flags)
{
        ssize_t got = REC_REAL(getrandom)(buf, n, flags);

        for (ssize_t i = 0; rec && i < got; i += 8) {
                uint64_t word = 0;
                memcpy(&word, (const char *)buf + i, (size_t)(got - i < 8 ? got - i : 8));
                note(word);
        }
        return got;
}
