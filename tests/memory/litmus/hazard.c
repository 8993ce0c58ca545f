/*
 * A hazard pointer: a reader announces what it is about to use and looks whether it is still there; who takes it away looks
 * whether a thread has announced it.
 *
 *     -DFENCE   with the full fence between announcing and looking, on both sides
 */
#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>

#include "../../litmus/litmus.h"

struct item {
        int valid;
};

static struct item first = {1}, second = {1};
static struct item *_Atomic current = &first, *_Atomic hazard;

#ifdef FENCE
#define FULL() atomic_thread_fence(memory_order_seq_cst)
#else
#define FULL() ((void)0)
#endif

static void *reader(void *arg)
{
        struct item *i = atomic_load_explicit(&current, memory_order_acquire);
        atomic_store_explicit(&hazard, i, memory_order_release);
        FULL();
        if (atomic_load_explicit(&current, memory_order_acquire) == i)
                assert(i->valid);
        atomic_store_explicit(&hazard, NULL, memory_order_release);
        return arg;
}

static void *writer(void *arg)
{
        struct item *old = atomic_load_explicit(&current, memory_order_relaxed);
        atomic_store_explicit(&current, &second, memory_order_release);
        FULL();
        if (atomic_load_explicit(&hazard, memory_order_acquire) != old)
                old->valid = 0; /* and its memory is used for something else */
        return arg;
}

int main(void)
{
        RUN(reader, writer);
}
