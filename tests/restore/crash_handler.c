/* The program's own handler for crashes runs in every execution. */
#include "restore.h"

#include <signal.h>
#include <unistd.h>

static int *nowhere;

static void handler(int sig)
{
        (void)sig;
        _exit(0);
}

static void odd(long n)
{
        signal(SIGSEGV, handler);
        if (n == 1)
                *nowhere = 1;
}

int main(void)
{
        restore_run();
        return 0;
}
