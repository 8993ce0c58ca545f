/* setjmp in main and in threads, with and without the signal mask. */
#include "restore.h"

#include <setjmp.h>
#include <signal.h>

static int rounds;

static void handler(int sig)
{
        (void)sig;
}

static void odd(long n)
{
        sigjmp_buf there;
        sigset_t set, now;

        sigemptyset(&set);
        sigaddset(&set, SIGUSR2);
        if (sigsetjmp(there, 1) == 0) {
                sigprocmask(SIG_BLOCK, &set, NULL);
                siglongjmp(there, 1);
        }
        sigprocmask(SIG_BLOCK, NULL, &now);
        assert(!sigismember(&now, SIGUSR2));
        signal(SIGUSR2, handler);
        (void)n;
}

int main(void)
{
        jmp_buf here;

        if (setjmp(here) == 0)
                restore_run();
        if (++rounds < 3)
                longjmp(here, rounds);
        assert(rounds == 3);
        return 0;
}
