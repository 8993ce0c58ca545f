/* Every thread has a signal mask of its own, which a new thread inherits; a signal to itself waits until it is let through. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>

#include "../litmus.h"

int caught[2], x;
static __thread int me;

static void handler(int sig)
{
        caught[me]++;
}

static int blocks(int sig)
{
        sigset_t set;

        pthread_sigmask(SIG_BLOCK, NULL, &set);
        return sigismember(&set, sig);
}

static void change(int how, int sig)
{
        sigset_t set;

        sigemptyset(&set);
        sigaddset(&set, sig);
        pthread_sigmask(how, &set, NULL);
}

static void *blocked(void *arg)
{
        sigset_t set;

        change(SIG_BLOCK, SIGUSR1);
        x++;
        assert(blocks(SIGUSR1) && blocks(SIGUSR2));
        raise(SIGUSR1);
        assert(caught[0] == 0);
        x++;
        assert(caught[0] == 0 && blocks(SIGUSR1));
        sigpending(&set);
        assert(sigismember(&set, SIGUSR1));
        change(SIG_UNBLOCK, SIGUSR1);
        assert(caught[0] == 1);
        return NULL;
}

static void *open(void *arg)
{
        me = 1;
        x++;
        assert(!blocks(SIGUSR1) && blocks(SIGUSR2));
        pthread_kill(pthread_self(), SIGUSR1);
        assert(caught[1] == 1);
        x++;
        assert(!blocks(SIGUSR1));
        return NULL;
}

int main(void)
{
        signal(SIGUSR1, handler);
        change(SIG_BLOCK, SIGUSR2);
        RUN(blocked, open);
        assert(!blocks(SIGUSR1) && blocks(SIGUSR2));
        return 0;
}
