/*
 * Signal handlers: PROGRAM CASE.  A thread works, main sends it SIGUSR1, and the handler does what the case says.
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum what { HEAP, STREAM, OTHER_STREAM, LOCK, BETWEEN, WRITE, BLOCKED, WAITED, WAITED_WRONG } what;
static const char *const names[] = {"heap",  "stream",  "other_stream", "lock",        "between",
                                    "write", "blocked", "waited",       "waited_wrong"};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile sig_atomic_t first, second;

static void handle(int sig)
{
        if (what == HEAP || what == BLOCKED)
                free(malloc(8));
        else if (what == STREAM)
                puts("handler");
        else if (what == OTHER_STREAM)
                fputs("handler\n", stderr);
        else if (what == LOCK && !pthread_mutex_lock(&lock))
                pthread_mutex_unlock(&lock);
        else if (what == BETWEEN)
                assert(first == second);
        else if (what == WRITE)
                write(1, "handler\n", 8);
}

static void *work(void *arg)
{
        sigset_t none;

        sigemptyset(&none);
        if (what == HEAP || what == WRITE || what == BLOCKED)
                free(malloc(16));
        if (what == STREAM || what == OTHER_STREAM || what == WRITE)
                puts("thread");
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
        first++;
        second++;
        if (what == BLOCKED)
                sigsuspend(&none);
        return arg;
}

/* A signal that the thread does not block ends the process, unless the thread waits for it by then. */
static void *wait_for_signal(void *arg)
{
        int sig;

        assert(!sigwait(arg, &sig) && sig == SIGUSR1);
        return NULL;
}

int main(int argc, char **argv)
{
        struct sigaction action = {.sa_handler = handle};
        pthread_t t;
        sigset_t set;

        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
                if (!strcmp(argv[1], names[i]))
                        what = (enum what)i;
        bool waits = what == WAITED || what == WAITED_WRONG;

        if (!waits)
                sigaction(SIGUSR1, &action, NULL);
        sigemptyset(&set);
        sigaddset(&set, SIGUSR1);
        if (what == BLOCKED || what == WAITED)
                pthread_sigmask(SIG_BLOCK, &set, NULL);
        pthread_create(&t, NULL, waits ? wait_for_signal : work, &set);
        pthread_kill(t, SIGUSR1);
        pthread_join(t, NULL);
        return 0;
}
