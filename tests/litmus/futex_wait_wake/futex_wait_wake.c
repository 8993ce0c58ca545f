/*
 * Two threads wait for the word to change; one wake for one thread, then, if `all`, for the other.  A wait finds the word
 * changed, or is woken; either thread may be the one.
 */
#include <errno.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../litmus.h"

static atomic_int word;
int a, b; /* 1: woken, 2: the word had changed */

static int await(void)
{
        return syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0) == 0 ? 1 : errno == EAGAIN ? 2 : 3;
}

static void *first(void *arg)
{
        a = await();
        return NULL;
}

static void *second(void *arg)
{
        b = await();
        return NULL;
}

static void *waker(void *arg)
{
        atomic_store(&word, 1);
        syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
        return NULL;
}

int main(void)
{
        RUN(first, second, waker);
        return 0;
}
