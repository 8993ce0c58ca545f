/* A lock made of futexes: refused with its name, never a hang. */
#include "restore.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

static unsigned word;

static void odd(long n)
{
        if (n == 0)
                syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0);
        else
                syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

int main(void)
{
        restore_run();
        return 0;
}
