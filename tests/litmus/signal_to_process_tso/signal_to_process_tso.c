/* A store buffer is no thread that a signal to the process could go to. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

int x, got;
static sigset_t set;

static void *waits(void *arg)
{
        int sig;

        x = 1;
        sigwait(&set, &sig);
        got = sig == SIGUSR1;
        return arg;
}

int main(void)
{
        pthread_t t;

        sigemptyset(&set);
        sigaddset(&set, SIGUSR1);
        pthread_sigmask(SIG_BLOCK, &set, NULL);
        pthread_create(&t, NULL, waits, NULL);
        x = 2;
        kill(getpid(), SIGUSR1);
        pthread_join(t, NULL);
        return 0;
}
