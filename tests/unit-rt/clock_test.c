/* Virtual time and seeded random numbers, and the real ones outside `check`. */
#include <errno.h>
#include <string.h>
#include <sys/random.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "rt/calls/random.h"
#include "stub.h"

uint32_t arc4random_uniform(uint32_t bound);

static const struct timespec half = {0, 500000000}, bad = {0, 1000000000};

static void virtual_clocks(void)
{
        struct timespec a, b, until;
        struct timeval tv;

        stub_run(1);
        CHECK(time(NULL) == 1704067200);
        clock_gettime(CLOCK_MONOTONIC, &a);
        CHECK(a.tv_sec == 1000 && a.tv_nsec == 2000);
        CHECK(sleep(100) == 0 && usleep(1500000) == 0 && stub.n_yields == 2);
        clock_gettime(CLOCK_MONOTONIC, &b);
        CHECK(b.tv_sec == 1101 && b.tv_nsec == 500003000);
        CHECK(nanosleep(&half, NULL) == 0);
        gettimeofday(&tv, NULL);
        CHECK(tv.tv_sec == 1704067200 + 102 && tv.tv_usec == 4);
        errno = 0;
        CHECK(nanosleep(&bad, NULL) == -1 && errno == EINVAL);
        CHECK(clock_gettime(77, &a) == -1 && clock_nanosleep(77, 0, &half, NULL) == EINVAL);
        until = (struct timespec){1200, 7};
        CHECK(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == 0);
        CHECK(rt_cur->clock.vtime == UINT64_C(200000000007));
        CHECK(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &half, NULL) == 0);
        CHECK(rt_cur->clock.vtime == UINT64_C(200000000007));
        until.tv_sec = INT64_MAX;
        CHECK(nanosleep(&until, NULL) == 0 && time(NULL) > 1704067200 && clock() > 0);
        stub_run(2); /* a clock of its own */
        CHECK(timespec_get(&a, TIME_UTC) == TIME_UTC && a.tv_sec == 1704067200 && a.tv_nsec == 1000);
        stub_pause();
}

static void real_clocks(void)
{
        struct timespec a, b, ms = {0, 2000000};

        CHECK(time(NULL) > 1704067200 + 86400);
        clock_gettime(CLOCK_MONOTONIC, &a);
        nanosleep(&ms, NULL);
        clock_gettime(CLOCK_MONOTONIC, &b);
        CHECK((b.tv_sec - a.tv_sec) * 1000000000 + b.tv_nsec - a.tv_nsec >= 2000000);
}

static void seeded_numbers(void)
{
        unsigned char a[13], b[13], c[300], saved[256];
        size_t n;

        stub_run(4);
        CHECK(getentropy(c, 1) == 0 && getentropy(c, sizeof c) == -1);
        stub_pause();
        n = random_state_size();
        CHECK(n <= sizeof saved);
        memcpy(saved, random_state, n);
        stub_run(7);
        CHECK(getrandom(a, sizeof a, 0) == sizeof a);
        stub_pause();
        memcpy(random_state, saved, n);
        stub_run(7);
        CHECK(getrandom(b, sizeof b, 0) == sizeof b && stub.seen[0].op == OP_WRITE && stub.seen[0].addr == b);
        stub_pause();
        CHECK(!memcmp(a, b, sizeof a));
        stub_run(7);
        CHECK(getrandom(b, sizeof b, 0) == sizeof b);
        stub_pause();
        CHECK(memcmp(a, b, sizeof a));
        stub_run(8);
        for (int i = 0; i < 1000; i++)
                CHECK(arc4random_uniform(7) < 7);
        stub_pause();
}

int main(void)
{
        real_clocks();
        virtual_clocks();
        seeded_numbers();
        return 0;
}
