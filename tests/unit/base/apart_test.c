/* Work that never ends is stopped in time, at the end of its time and when interrupted; a worker that dies has no result. */
#include "base/apart.h"

#include <assert.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/deadline.h"

#define MANY 40000u /* more than a pipe holds */

struct numbers {
        uint32_t of[MANY];
};

static void count(void *arg, void *result)
{
        struct numbers *n = result;

        for (uint32_t i = 0; i < MANY; i++)
                n->of[i] = i + *(const uint32_t *)arg;
}

static void compute(void *arg, void *result)
{
        volatile uint64_t n = 0;

        (void)arg;
        (void)result;
        for (;;)
                n++;
}

static void die(void *arg, void *result)
{
        (void)arg;
        (void)result;
        _exit(0);
}

static void interrupt(int sig)
{
        (void)sig;
        loop_interrupted = 1;
}

static struct numbers numbers;

int main(void)
{
        uint32_t first = 7;
        double begun;

        assert(apart_run(count, &first, &numbers, sizeof numbers, 60) == 1);
        for (uint32_t i = 0; i < MANY; i++)
                assert(numbers.of[i] == i + 7);
        begun = clock_now();
        first = 8;
        assert(apart_run(compute, &first, &numbers, sizeof numbers, 0.2) == 0 && numbers.of[0] == 7);
        assert(clock_now() - begun < 2);
        assert(apart_run(die, NULL, &numbers, sizeof numbers, 60) == -1);
        signal(SIGALRM, interrupt);
        begun = clock_now();
        alarm(1);
        assert(apart_run(compute, NULL, &numbers, sizeof numbers, 60) == 0);
        assert(clock_now() - begun < 3);
        puts("PASS apart");
        return 0;
}
