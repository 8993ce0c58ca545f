/* Both give way to each other, over and over: no thread ever ends, and that is not called safe. */
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int wants[2];

static void give_way(int me)
{
        atomic_store(&wants[me], 1);
        do {
                atomic_store(&wants[me], 0);
                atomic_store(&wants[me], 1);
        } while (atomic_load(&wants[1 - me]) < 2);
}

static void *a(void *arg)
{
        give_way(0);
        return arg;
}

static void *b(void *arg)
{
        give_way(1);
        return arg;
}

int main(void)
{
        RUN(a, b);
        return 0;
}
