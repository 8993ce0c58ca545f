/* Atomic updates do not get lost, and each sees another value. */
#include <stdatomic.h>

#include "../litmus.h"

atomic_int x;
int seen[3];

static void *first(void *arg)
{
        seen[0] = atomic_fetch_add(&x, 1);
        return NULL;
}

static void *second(void *arg)
{
        seen[1] = atomic_fetch_add(&x, 1);
        return NULL;
}

static void *third(void *arg)
{
        seen[2] = atomic_fetch_add(&x, 1);
        return NULL;
}

int main(void)
{
        RUN(first, second, third);
        return 0;
}
