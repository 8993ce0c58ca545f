/* Two signals of one number may be merged before the first is accepted: then one of two threads waits forever. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "../litmus.h"

static sigset_t set;

static void *waits(void *arg)
{
        int sig;

        sigwait(&set, &sig);
        return NULL;
}

static void *sends(void *arg)
{
        kill(getpid(), SIGUSR1);
        kill(getpid(), SIGUSR1);
        return NULL;
}

int main(void)
{
        sigemptyset(&set);
        sigaddset(&set, SIGUSR1);
        pthread_sigmask(SIG_BLOCK, &set, NULL);
        RUN(waits, waits, sends);
        return 0;
}
