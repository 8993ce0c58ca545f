/*
 * Handlers of its own, installed again in every execution together with an alternate stack, and a signal to itself.  The
 * handler runs on the stack of its thread: the runtime keeps the kernel's alternate stack for crashes.
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

static char stack[1 << 16];
static volatile sig_atomic_t caught;
static int x;

static void handler(int number)
{
        caught += number == SIGUSR1;
}

static void *writer(void *arg)
{
        x++;
        return arg;
}

int main(void)
{
        pthread_t thread;
        stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
        struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK}, old;

        pthread_create(&thread, NULL, writer, NULL);
        assert(sigaltstack(&alternate, NULL) == 0);
        assert(sigaction(SIGUSR1, NULL, &old) == 0 && old.sa_handler == SIG_DFL);
        assert(sigaction(SIGUSR1, &action, NULL) == 0);
        assert(sigaction(SIGSEGV, &action, NULL) == 0);
        raise(SIGUSR1);
        x++;
        pthread_join(thread, NULL);
        assert(caught == 1);
        return 0;
}
