/* A handler that sends its own signal gets it when it returns; masks, jumps and actions are as natively; others may run inside. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>

int order[8], n, other;
static sigjmp_buf out;
static volatile int depth, deepest;

static int blocks(int sig)
{
        sigset_t set;

        pthread_sigmask(SIG_BLOCK, NULL, &set);
        return sigismember(&set, sig);
}

static void again(int sig)
{
        int first = n == 0;

        assert(blocks(SIGUSR1) && !blocks(SIGUSR2));
        order[n++] = 1;
        other++;
        if (first)
                raise(SIGUSR1);
        order[n++] = 2;
}

static void nested(int sig, siginfo_t *info, void *context)
{
        assert(info->si_signo == sig && context && !blocks(SIGUSR2));
        if (++depth > deepest)
                deepest = depth;
        if (depth < 3)
                raise(SIGUSR2);
        depth--;
}

static void jumps(int sig)
{
        siglongjmp(out, 1);
}

static void set(int sig, struct sigaction *a, void (*handler)(int), int flags)
{
        a->sa_handler = handler;
        a->sa_flags = flags;
        sigaction(sig, a, NULL);
}

static void *thread(void *arg)
{
        struct sigaction a = {0}, old;

        raise(SIGUSR1);
        assert(n == 4 && order[0] == 1 && order[1] == 2 && order[2] == 1 && order[3] == 2 && !blocks(SIGUSR1));
        a.sa_sigaction = nested;
        a.sa_flags = SA_SIGINFO | SA_NODEFER;
        sigaction(SIGUSR2, &a, NULL);
        sigaction(SIGUSR2, NULL, &old);
        assert(old.sa_sigaction == nested && (old.sa_flags & SA_NODEFER) && (old.sa_flags & SA_SIGINFO));
        raise(SIGUSR2);
        assert(deepest == 3 && depth == 0);
        set(SIGHUP, &a, jumps, 0);
        sigaction(SIGHUP, NULL, &old);
        assert(old.sa_handler == jumps && !(old.sa_flags & SA_SIGINFO));
        if (!sigsetjmp(out, 1)) {
                raise(SIGHUP);
                assert(0);
        }
        assert(!blocks(SIGHUP));
        set(SIGHUP, &a, jumps, SA_RESETHAND);
        if (!sigsetjmp(out, 0)) {
                raise(SIGHUP);
                assert(0);
        }
        assert(blocks(SIGHUP));
        sigaction(SIGHUP, NULL, &old);
        assert(old.sa_handler == SIG_DFL);
        return arg;
}

int main(void)
{
        struct sigaction a = {0};
        pthread_t t;

        set(SIGUSR1, &a, again, 0);
        pthread_create(&t, NULL, thread, NULL);
        other++;
        pthread_join(t, NULL);
        return 0;
}
