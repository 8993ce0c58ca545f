/*
 * Two take turns until the third tells them to stop.  If it is never its turn they loop forever: executions that are
 * cut there do not show what it does, and all the same it must be tried in every state.
 */
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int turn, stop;
int seen;

static void *a(void *arg)
{
        while (atomic_exchange(&turn, 1) != 2)
                ;
        return arg;
}

static void *b(void *arg)
{
        int expected = 1;

        while (!atomic_load(&stop)) {
                atomic_compare_exchange_strong(&turn, &expected, 0);
                expected = 1;
        }
        return arg;
}

static void *c(void *arg)
{
        seen = atomic_exchange(&turn, 2);
        atomic_store(&stop, 1);
        return arg;
}

int main(void)
{
        RUN(a, b, c);
        return 0;
}
