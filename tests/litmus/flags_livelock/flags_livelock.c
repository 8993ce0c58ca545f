/* Mutual exclusion by two flags: both may take them back in step, forever, and never are both inside. */
#include <assert.h>
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int flag[2];
int inside;

static void enter(int i)
{
        atomic_store(&flag[i], 1);
        while (atomic_load(&flag[1 - i])) {
                atomic_store(&flag[i], 0);
                atomic_store(&flag[i], 1);
        }
}

static void *a(void *arg)
{
        enter(0);
        assert(++inside == 1);
        inside--;
        atomic_store(&flag[0], 0);
        return arg;
}

static void *b(void *arg)
{
        enter(1);
        assert(++inside == 1);
        inside--;
        atomic_store(&flag[1], 0);
        return arg;
}

int main(void)
{
        RUN(a, b);
        return 0;
}
