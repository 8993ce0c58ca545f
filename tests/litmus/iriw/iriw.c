/* Independent reads of independent writes. */
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int x, y;
int r1, r2, r3, r4;

static void *write_x(void *arg)
{
        atomic_store(&x, 1);
        return NULL;
}

static void *write_y(void *arg)
{
        atomic_store(&y, 1);
        return NULL;
}

static void *read_xy(void *arg)
{
        r1 = atomic_load(&x);
        r2 = atomic_load(&y);
        return NULL;
}

static void *read_yx(void *arg)
{
        r3 = atomic_load(&y);
        r4 = atomic_load(&x);
        return NULL;
}

int main(void)
{
        RUN(write_x, write_y, read_xy, read_yx);
        return 0;
}
