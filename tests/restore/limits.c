/* Resource limits, timers and the end of the data segment. */
#include "restore.h"

#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

static void *end;

static void odd(long n)
{
        struct rlimit limit;
        struct itimerval timer = {.it_value = {.tv_sec = 100}}, old;
        char *more;

        if (n == 0) {
                assert(getrlimit(RLIMIT_CORE, &limit) == 0 && limit.rlim_cur == 0);
                limit.rlim_cur = limit.rlim_max;
                assert(setrlimit(RLIMIT_CORE, &limit) == 0);
                assert(setitimer(ITIMER_REAL, &timer, &old) == 0 && old.it_value.tv_sec == 0);
                assert(setitimer(ITIMER_VIRTUAL, &timer, &old) == 0 && old.it_value.tv_sec == 0);
        } else {
                assert(sbrk(0) == end);
                more = sbrk(8192);
                assert(more == end && more[8191] == 0);
                memset(more, 1, 8192);
        }
}

int main(void)
{
        struct rlimit limit;

        getrlimit(RLIMIT_CORE, &limit);
        limit.rlim_cur = 0;
        setrlimit(RLIMIT_CORE, &limit);
        end = sbrk(0);
        restore_run();
        assert(alarm(50) > 90);
        return 0;
}
