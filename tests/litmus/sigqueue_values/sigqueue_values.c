/* Real-time signals are queued with their values, in the order in which they were sent. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "../litmus.h"

static sigset_t set;
int got;

static void *waits(void *arg)
{
        siginfo_t info;

        for (int i = 0; i < 2; i++) {
                sigwaitinfo(&set, &info);
                got = got * 10 + info.si_value.sival_int;
        }
        return NULL;
}

static void *sends(void *arg)
{
        sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 1});
        return NULL;
}

static void *sends_too(void *arg)
{
        sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 2});
        return NULL;
}

int main(void)
{
        sigemptyset(&set);
        sigaddset(&set, SIGRTMIN);
        pthread_sigmask(SIG_BLOCK, &set, NULL);
        RUN(waits, sends, sends_too);
        return 0;
}
