/* Locked before the first thread is there: fflush(NULL) waits for it. */
#include <stdio.h>

#include "../litmus.h"

static void *flushes(void *arg)
{
        fflush(NULL);
        return NULL;
}

int main(void)
{
        flockfile(stdout);
        RUN(flushes);
        funlockfile(stdout);
        return 0;
}
