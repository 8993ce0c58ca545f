/*
 * An object is made and then published, as in the electron microscope of figure 3.6 (Huang, 2019): under pso it can be
 * seen before it is complete.
 *
 *     -DRELEASE   published by a release store
 */
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "../../litmus/litmus.h"

struct point {
        int x, y;
};

static struct point origin = {1, 2};
static struct point *_Atomic current = &origin;

static void *mover(void *arg)
{
        struct point *old = atomic_load_explicit(&current, memory_order_relaxed), *p = malloc(sizeof(*p));
        p->x = old->x + 1;
        p->y = old->y + 1;
#ifdef RELEASE
        atomic_store_explicit(&current, p, memory_order_release);
#else
        atomic_store_explicit(&current, p, memory_order_relaxed);
#endif
        return arg;
}

static void *looker(void *arg)
{
        struct point *p = atomic_load_explicit(&current, memory_order_acquire);
        assert(p->x + 1 == p->y);
        return arg;
}

int main(void)
{
        RUN(mover, looker);
        free(current);
}
