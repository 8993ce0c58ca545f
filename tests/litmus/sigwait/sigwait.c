/* A thread accepts a signal that another sends to it, and one to the process; a third looks with a timeout. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "../litmus.h"

static sigset_t set;
static pthread_t t;
int got, late;

static void *waits(void *arg)
{
        int first, second;

        sigwait(&set, &first);
        sigwait(&set, &second);
        got = first * 100 + second;
        return NULL;
}

static void *looks(void *arg)
{
        const struct timespec soon = {.tv_nsec = 1000000};
        sigset_t one;
        int r;

        sigemptyset(&one);
        sigaddset(&one, SIGUSR2);
        r = sigtimedwait(&one, NULL, &soon);
        assert(r == SIGUSR2 || errno == EAGAIN);
        late = r;
        return NULL;
}

static void *sends(void *arg)
{
        pthread_kill(t, SIGUSR1);
        kill(getpid(), SIGTERM);
        kill(getpid(), SIGUSR2);
        return NULL;
}

int main(void)
{
        pthread_t a, b;

        sigemptyset(&set);
        sigaddset(&set, SIGUSR1);
        sigaddset(&set, SIGTERM);
        sigaddset(&set, SIGUSR2);
        pthread_sigmask(SIG_BLOCK, &set, NULL);
        sigdelset(&set, SIGUSR2);
        pthread_create(&t, NULL, waits, NULL);
        pthread_create(&a, NULL, looks, NULL);
        pthread_create(&b, NULL, sends, NULL);
        pthread_join(t, NULL);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        return 0;
}
