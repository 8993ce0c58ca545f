/* A timer need not end while its signal is blocked: it may end between the test and pause().  sigsuspend() is the cure. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t x;

static void handler(int sig)
{
        (void)sig;
        x++;
}

static void *nothing(void *arg)
{
        return arg;
}

int main(void)
{
        struct sigaction sa = {.sa_handler = handler};
        sigset_t set, old;
        pthread_t t;

        sigaction(SIGALRM, &sa, NULL);
        sigemptyset(&set);
        sigaddset(&set, SIGALRM);
        pthread_create(&t, NULL, nothing, NULL);
        alarm(1);
        pthread_sigmask(SIG_BLOCK, &set, &old);
        x++;
#ifdef SUSPEND
        while (x < 2)
                sigsuspend(&old);
        pthread_sigmask(SIG_SETMASK, &old, NULL);
#else
        pthread_sigmask(SIG_SETMASK, &old, NULL);
        while (x < 2)
                pause();
#endif
        pthread_join(t, NULL);
        return 0;
}
