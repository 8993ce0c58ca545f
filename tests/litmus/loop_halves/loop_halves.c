/* Two threads wait for a word whose halves are written one by one: only what follows has an order. */
#include <stdatomic.h>

#include "../litmus.h"

static union {
        atomic_long word;
        atomic_int half[2];
} u;
atomic_int n;

static void *low(void *arg)
{
        atomic_store(&u.half[0], 1);
        return arg;
}

static void *high(void *arg)
{
        atomic_store(&u.half[1], 1);
        return arg;
}

static void *waits(void *arg)
{
        while (atomic_load(&u.word) != (1L << 32 | 1))
                ;
        n++;
        return arg;
}

int main(void)
{
        RUN(low, high, waits, waits);
        return 0;
}
