/* A thread puts a flag up and down until it is let go, by stores that may wait in its buffer: a round from which they have not reached
 * memory yet does not look like one that changes something, but another thread sees each. */
#include <assert.h>
#include <stdatomic.h>

#include "../litmus.h"

atomic_int flag, go;

static void *raises(void *arg)
{
        for (;;) {
                atomic_store_explicit(&flag, 1, memory_order_relaxed);
                if (atomic_load(&go))
                        return arg;
                atomic_store_explicit(&flag, 0, memory_order_relaxed);
        }
}

static void *counts(void *arg)
{
        for (int i = 0; i < 3; i++) {
                while (atomic_load(&flag) != 1)
                        ;
                while (atomic_load(&flag) != 0)
                        ;
        }
        atomic_store(&go, 1);
        assert(0);
        return arg;
}

int main(void)
{
        RUN(raises, counts);
        return 0;
}
