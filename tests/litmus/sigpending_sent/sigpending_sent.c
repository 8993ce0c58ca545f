/* Whether a signal is pending depends on whether it was sent before.  Only signals that the thread blocks are pending. */
#include <pthread.h>
#include <signal.h>

int pending, unblocked;
static sigset_t set;

static void handler(int sig)
{
        (void)sig;
}

static void *looks(void *arg)
{
        sigset_t now;

        sigpending(&now);
        pending = sigismember(&now, SIGUSR1);
        unblocked = sigismember(&now, SIGUSR2);
        return arg;
}

int main(void)
{
        pthread_t t;

        signal(SIGUSR1, handler);
        signal(SIGUSR2, handler);
        sigemptyset(&set);
        sigaddset(&set, SIGUSR1);
        pthread_sigmask(SIG_BLOCK, &set, NULL);
        pthread_create(&t, NULL, looks, NULL);
        pthread_kill(t, SIGUSR2);
        pthread_kill(t, SIGUSR1);
        pthread_join(t, NULL);
        return 0;
}
