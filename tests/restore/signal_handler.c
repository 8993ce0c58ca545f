/* Handlers installed before and by threads, and signals that a thread sends itself. */
#include "restore.h"

#include <signal.h>
#include <unistd.h>

static volatile int got[2];

static void first(int sig)
{
        got[0]++;
        (void)sig;
}

static void second(int sig)
{
        got[1]++;
        (void)sig;
}

static void odd(long n)
{
        struct sigaction sa = {.sa_handler = second, .sa_flags = SA_ONSTACK}, old;

        if (n == 0) {
                assert(sigaction(SIGUSR2, &sa, &old) == 0 && old.sa_handler == SIG_DFL);
                sigfillset(&sa.sa_mask);
                assert(sigaction(SIGUSR2, &sa, &old) == 0 && old.sa_handler == second);
                assert(raise(SIGUSR2) == 0 && got[1] == 1);
                assert(signal(SIGPIPE, SIG_IGN) == SIG_DFL);
        } else {
                assert(pthread_kill(pthread_self(), SIGUSR1) == 0 && got[0] == 1);
                assert(signal(SIGUSR1, SIG_DFL) == first);
        }
}

int main(void)
{
        signal(SIGUSR1, first);
        restore_run();
        return 0;
}
