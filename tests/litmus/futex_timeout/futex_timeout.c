/* A wait with a timeout is woken, finds the word changed, or times out; time has passed then. */
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../litmus.h"

static atomic_int word;
int end; /* 1: woken, 2: the word had changed, 3: timed out */
int reached;

static void *waiter(void *arg)
{
        struct timespec before, after, timeout = {5, 0};
        long r;

        clock_gettime(CLOCK_MONOTONIC, &before);
        r = syscall(SYS_futex, &word, FUTEX_WAIT, 0, &timeout, NULL, 0);
        end = r == 0 ? 1 : errno == EAGAIN ? 2 : errno == ETIMEDOUT ? 3 : 4;
        clock_gettime(CLOCK_MONOTONIC, &after);
        assert(end != 3 || after.tv_sec >= before.tv_sec + 5);
        return NULL;
}

static void *waker(void *arg)
{
        atomic_store(&word, 1);
        reached = (int)syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
        return NULL;
}

int main(void)
{
        RUN(waiter, waker);
        return 0;
}
