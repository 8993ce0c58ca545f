/* A timer of the kernel has a number that grows: each execution gets a process. */
#include "restore.h"

#include <signal.h>
#include <time.h>

static void odd(long n)
{
        struct sigevent e = {.sigev_notify = SIGEV_NONE};
        timer_t t;

        if (n == 0)
                assert(timer_create(CLOCK_MONOTONIC, &e, &t) == 0);
}

int main(void)
{
        restore_run();
        return 0;
}
