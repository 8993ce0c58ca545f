/* A thread waits for another value than the one that it has stored itself, which may still be in its buffer.  It cannot have read what was there before. */
#include <stdatomic.h>

#include "../litmus.h"

#ifndef ORDER
#define ORDER memory_order_relaxed
#endif

atomic_int x = 7;
int left;

static void *waits(void *arg)
{
        atomic_store_explicit(&x, 1, ORDER);
        while (atomic_load(&x) == 1)
                ;
        left = atomic_load(&x);
        return arg;
}

static void *ends(void *arg)
{
        while (atomic_load(&x) != 1)
                ;
        atomic_store_explicit(&x, 2, ORDER);
        atomic_store_explicit(&x, 3, ORDER);
        return arg;
}

int main(void)
{
        RUN(waits, ends);
        return 0;
}
