/* Store buffering: each thread stores its own variable and loads the other's. */
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int x, y;
int r1, r2;

static void *left(void *arg)
{
        atomic_store(&x, 1);
        r1 = atomic_load(&y);
        return NULL;
}

static void *right(void *arg)
{
        atomic_store(&y, 1);
        r2 = atomic_load(&x);
        return NULL;
}

int main(void)
{
        RUN(left, right);
        return 0;
}
