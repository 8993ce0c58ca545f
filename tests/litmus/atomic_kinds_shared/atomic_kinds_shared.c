/* Updates that do not commute. */
#include <stdatomic.h>

#include "../litmus.h"

atomic_long x = 4;

static void *add(void *arg)
{
        atomic_fetch_add(&x, 3);
        return NULL;
}

static void *set(void *arg)
{
        atomic_exchange(&x, 6);
        return NULL;
}

static void *mask(void *arg)
{
        atomic_fetch_and(&x, 12);
        return NULL;
}

int main(void)
{
        RUN(add, set, mask);
        return 0;
}
