/* Write to read causality. */
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int x, y;
int r1, r2, r3;

static void *writer(void *arg)
{
        atomic_store(&x, 1);
        return NULL;
}

static void *middle(void *arg)
{
        r1 = atomic_load(&x);
        atomic_store(&y, 1);
        return NULL;
}

static void *reader(void *arg)
{
        r2 = atomic_load(&y);
        r3 = atomic_load(&x);
        return NULL;
}

int main(void)
{
        RUN(writer, middle, reader);
        return 0;
}
