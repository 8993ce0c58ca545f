/* Alternate stacks and crash handlers of the program's own: told back, not used. */
#include "restore.h"

#include <signal.h>

static char before[8192], later[16384];

static void handler(int sig)
{
        (void)sig;
}

static void odd(long n)
{
        stack_t s = {.ss_sp = later, .ss_size = sizeof later}, old;
        struct sigaction sa = {.sa_handler = handler, .sa_flags = SA_ONSTACK}, was;

        if (n == 0) {
                assert(sigaltstack(&s, &old) == 0 && old.ss_sp == before);
                assert(sigaltstack(NULL, &old) == 0 && old.ss_sp == later);
        } else {
                assert(sigaction(SIGSEGV, &sa, &was) == 0 && was.sa_handler == SIG_IGN);
                assert(sigaction(SIGSEGV, NULL, &was) == 0 && was.sa_handler == handler);
                assert(signal(SIGABRT, handler) == SIG_DFL);
        }
}

int main(void)
{
        stack_t s = {.ss_sp = before, .ss_size = sizeof before};

        sigaltstack(&s, NULL);
        signal(SIGSEGV, SIG_IGN);
        restore_run();
        return 0;
}
