/* S: a store that another thread's store must not overtake. */
#include <stdatomic.h>

#include "../litmus.h"

atomic_int x;
static atomic_int y;
int r1;

static void *left(void *arg)
{
        atomic_store(&x, 2);
        atomic_store(&y, 1);
        return NULL;
}

static void *right(void *arg)
{
        r1 = atomic_load(&y);
        atomic_store(&x, 1);
        return NULL;
}

int main(void)
{
        RUN(left, right);
        return 0;
}
