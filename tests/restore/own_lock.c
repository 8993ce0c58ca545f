/* A futex that is not called through libc is an operation: threads wait for a wakeup that has come before. */
#include "restore.h"

#include <linux/futex.h>
#include <sys/syscall.h>

static unsigned word;

static void futex(long op, long n)
{
        register long timeout __asm__("r10") = 0;
        long r;

        __asm__ volatile("syscall"
                         : "=a"(r)
                         : "a"(SYS_futex), "D"(&word), "S"(op), "d"(n), "r"(timeout)
                         : "rcx", "r11", "memory");
}

static void odd(long n)
{
        if (n == 0)
                futex(FUTEX_WAIT, 0);
        else
                futex(FUTEX_WAKE, 1);
}

int main(void)
{
        restore_run();
        return 0;
}
