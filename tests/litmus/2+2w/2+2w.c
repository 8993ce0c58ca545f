/* Two threads store both variables in opposite orders. */
#include <stdatomic.h>

#include "../litmus.h"

atomic_int x, y;

static void *left(void *arg)
{
        atomic_store(&x, 1);
        atomic_store(&y, 2);
        return NULL;
}

static void *right(void *arg)
{
        atomic_store(&y, 1);
        atomic_store(&x, 2);
        return NULL;
}

int main(void)
{
        RUN(left, right);
        return 0;
}
