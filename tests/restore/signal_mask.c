/* Signals are blocked by a thread, and one that all block is pending when the execution ends. */
#include "restore.h"

#include <signal.h>
#include <unistd.h>

static void odd(long n)
{
        sigset_t set, old;

        if (n == 0)
                return;
        sigfillset(&set);
        assert(sigprocmask(SIG_BLOCK, &set, &old) == 0);
        assert(!sigismember(&old, SIGUSR1) && sigismember(&old, SIGHUP));
        assert(kill(getpid(), SIGUSR2) == 0);
        assert(sigpending(&set) == 0 && sigismember(&set, SIGUSR2));
}

int main(void)
{
        sigset_t set;

        sigemptyset(&set);
        sigaddset(&set, SIGHUP);
        sigaddset(&set, SIGUSR2);
        sigprocmask(SIG_BLOCK, &set, NULL);
        restore_run();
        return 0;
}
