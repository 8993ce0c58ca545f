/* Load buffering: each thread loads one variable and stores the other. */
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int x, y;
int r1, r2;

static void *left(void *arg)
{
        r1 = atomic_load(&x);
        atomic_store(&y, 1);
        return NULL;
}

static void *right(void *arg)
{
        r2 = atomic_load(&y);
        atomic_store(&x, 1);
        return NULL;
}

int main(void)
{
        RUN(left, right);
        return 0;
}
