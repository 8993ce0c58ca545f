/* Functions of stdio that take no lock, with and without one that the program takes. */
#include <stdio.h>

#include "../litmus.h"

#ifndef LOCK
#define LOCK(call) call
#endif
#ifndef CALL
#define CALL fputs_unlocked("x", stdout)
#endif

static void *writer(void *arg)
{
        LOCK(flockfile(stdout));
        CALL;
        LOCK(funlockfile(stdout));
        return NULL;
}

int main(void)
{
        RUN(writer, writer);
        return 0;
}
