/* sigsuspend lets in a signal that has no handler: the process ends, and nobody waits. */
#include <pthread.h>
#include <signal.h>

static sigset_t set, before;

static void *suspends(void *arg)
{
        sigsuspend(&before);
        return arg;
}

int main(void)
{
        pthread_t t;

        sigemptyset(&set);
        sigaddset(&set, SIGUSR1);
        pthread_sigmask(SIG_BLOCK, &set, &before);
        pthread_create(&t, NULL, suspends, NULL);
        pthread_kill(t, SIGUSR1);
        pthread_join(t, NULL);
        return 0;
}
