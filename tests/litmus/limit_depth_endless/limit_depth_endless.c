/*
 * One thread never ends, so every execution is cut, and what the others do may come after the cut: it must be tried before
 * that, too.  The failure needs them to continue while the first has hardly begun.
 */
#include <assert.h>
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int rounds, seen;

static void *endless(void *arg)
{
        for (;;)
                atomic_fetch_add(&rounds, 1);
        return arg;
}

static void *looks(void *arg)
{
        seen = rounds == 1 ? 1 : 2;
        return arg;
}

static void *fails(void *arg)
{
        assert(seen != 1);
        return arg;
}

int main(void)
{
        RUN(endless, looks, fails);
        return 0;
}
