/* The signal may arrive between the test and pause(): lost.  sigsuspend() is the cure. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t got;
static pthread_t receiver;

static void handler(int sig)
{
        (void)sig;
        got = 1;
}

static void *send(void *arg)
{
        pthread_kill(receiver, SIGUSR1);
        return arg;
}

int main(void)
{
        struct sigaction sa = {.sa_handler = handler};
        sigset_t set, old;
        pthread_t t;

        sigaction(SIGUSR1, &sa, NULL);
        sigemptyset(&set);
        sigaddset(&set, SIGUSR1);
        receiver = pthread_self();
#ifdef SUSPEND
        pthread_sigmask(SIG_BLOCK, &set, &old);
        pthread_create(&t, NULL, send, NULL);
        while (!got)
                sigsuspend(&old);
#else
        (void)old;
        pthread_create(&t, NULL, send, NULL);
        while (!got)
                pause();
#endif
        pthread_join(t, NULL);
        return 0;
}
