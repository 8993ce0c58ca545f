/* A thread reads back what it has just stored, unless another store came between. */
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int x;
int r;

static void *left(void *arg)
{
        atomic_store(&x, 1);
        r = atomic_load(&x);
        return NULL;
}

static void *right(void *arg)
{
        atomic_store(&x, 2);
        return NULL;
}

int main(void)
{
        RUN(left, right);
        return 0;
}
