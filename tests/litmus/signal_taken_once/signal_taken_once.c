/* A signal to the process that all threads block: one thread unblocks it, another one looks for it. */
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

int handled, taken;
static sigset_t set;

static void handler(int sig)
{
        (void)sig;
        handled = 1;
}

static void *unblocks(void *arg)
{
        pthread_sigmask(SIG_UNBLOCK, &set, NULL);
        return arg;
}

static void *looks(void *arg)
{
        struct timespec none = {0, 0};

        taken = sigtimedwait(&set, NULL, &none) == SIGUSR1;
        return arg;
}

int main(void)
{
        pthread_t a, b;

        signal(SIGUSR1, handler);
        sigemptyset(&set);
        sigaddset(&set, SIGUSR1);
        pthread_sigmask(SIG_BLOCK, &set, NULL);
        kill(getpid(), SIGUSR1);
        pthread_create(&a, NULL, unblocks, NULL);
        pthread_create(&b, NULL, looks, NULL);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        return 0;
}
