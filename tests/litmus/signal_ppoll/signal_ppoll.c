/* ppoll unblocks the signal for its wait alone: it is never lost. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
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
        struct pollfd f;
        pthread_t t;
        int p[2], r;

        sigaction(SIGUSR1, &sa, NULL);
        sigemptyset(&set);
        sigaddset(&set, SIGUSR1);
        receiver = pthread_self();
        if (pipe(p))
                return 1;
        f = (struct pollfd){p[0], POLLIN, 0};
        pthread_sigmask(SIG_BLOCK, &set, &old);
        pthread_create(&t, NULL, send, NULL);
        assert(!got);
        r = ppoll(&f, 1, NULL, &old);
        assert(r == -1 && errno == EINTR && got);
        pthread_join(t, NULL);
        return 0;
}
