/* The lock of a stream is recursive; ftrylockfile fails while another thread has it. */
#include <stdio.h>

#include "../litmus.h"

int got, x;

static void *owner(void *arg)
{
        flockfile(stderr);
        flockfile(stderr);
        x = 1;
        funlockfile(stderr);
        x = 2;
        funlockfile(stderr);
        return NULL;
}

static void *tries(void *arg)
{
        if (ftrylockfile(stderr) == 0) {
                got = 1;
                funlockfile(stderr);
        }
        fputs("", stderr);
        return NULL;
}

int main(void)
{
        RUN(owner, tries);
        return 0;
}
