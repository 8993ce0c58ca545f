/* A thread puts up a flag, looks, and takes the flag down again, until it is let go.  Another one may see the flag.  The stores of a
 * round wait in a buffer until its fence. */
#include <stdatomic.h>

#include "../litmus.h"

#ifndef ORDER
#define ORDER memory_order_relaxed
#endif

atomic_int flag, go;
int seen;

static void put(int value)
{
        atomic_store_explicit(&flag, value, ORDER);
        atomic_thread_fence(memory_order_seq_cst);
}

static void *raises(void *arg)
{
        for (;;) {
                put(1);
                if (atomic_load(&go))
                        return arg;
                put(0);
        }
}

static void *lets_go(void *arg)
{
        seen = atomic_load(&flag);
        atomic_store(&go, 1);
        seen = 2 * seen + atomic_load(&flag);
        return arg;
}

int main(void)
{
        RUN(raises, lets_go);
        return 0;
}
