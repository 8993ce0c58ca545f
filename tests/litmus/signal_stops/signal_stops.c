/* A signal that stops the process, sent in one order only, where other signals of the thread are not known to matter yet. */
#include <signal.h>
#include <unistd.h>

#include "../litmus.h"

static int x;

static void *a(void *arg)
{
        x = 1;
        return arg;
}

static void *b(void *arg)
{
        if (x == 1)
                kill(getpid(), SIGTSTP);
        return arg;
}

int main(void)
{
        RUN(a, b);
        return 0;
}
