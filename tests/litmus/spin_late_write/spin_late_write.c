/* A thread waits in one loop after the other; a late write to what the first one read changes nothing for the second. */
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int first, second;

static void *waiter(void *arg)
{
        while (!atomic_load(&first))
                ;
        while (!atomic_load(&second))
                ;
        return arg;
}

static void *late(void *arg)
{
        atomic_exchange(&first, 2);
        return arg;
}

static void *writer(void *arg)
{
        atomic_store(&first, 1);
        atomic_store(&second, 1);
        return arg;
}

int main(void)
{
        RUN(waiter, late, writer);
        return 0;
}
