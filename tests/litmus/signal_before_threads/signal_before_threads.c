/* Signals that are blocked when they are sent, before the first thread is created: to the thread, and to the process.  The first thread that
 * no longer blocks the latter gets it. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

int own, first;
static sigset_t one, two;
static pthread_t a;

static void count(int sig)
{
        if (sig == SIGUSR1)
                own++;
        else
                first = pthread_equal(pthread_self(), a) ? 1 : 2;
}

static void *unblocks(void *arg)
{
        pthread_sigmask(SIG_UNBLOCK, &two, NULL);
        return arg;
}

int main(void)
{
        pthread_t b;

        signal(SIGUSR1, count);
        signal(SIGUSR2, count);
        sigemptyset(&one);
        sigemptyset(&two);
        sigaddset(&one, SIGUSR1);
        sigaddset(&two, SIGUSR2);
        pthread_sigmask(SIG_BLOCK, &one, NULL);
        pthread_sigmask(SIG_BLOCK, &two, NULL);
        raise(SIGUSR1);
        kill(getpid(), SIGUSR2);
        pthread_create(&a, NULL, unblocks, NULL);
        pthread_create(&b, NULL, unblocks, NULL);
        pthread_sigmask(SIG_UNBLOCK, &one, NULL);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        return 0;
}
