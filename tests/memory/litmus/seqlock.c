/*
 * A sequence lock, with one write.  The reader looks until it has seen a whole state, at most twice here.
 *
 *     -DBROKEN   the data may overtake the odd number: pso
 */
#include <assert.h>
#include <stdatomic.h>

#include "../../litmus/litmus.h"

static atomic_int sequence, a, b;

#define LOAD(x)     atomic_load_explicit(&(x), memory_order_relaxed)
#define STORE(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)

static void *writer(void *arg)
{
        STORE(sequence, 1);
#ifndef BROKEN
        atomic_thread_fence(memory_order_release);
#endif
        STORE(a, 1);
        STORE(b, 1);
        atomic_store_explicit(&sequence, 2, memory_order_release);
        return arg;
}

static void *reader(void *arg)
{
        for (int i = 0; i < 2; i++) {
                int before = atomic_load_explicit(&sequence, memory_order_acquire);
                int x = LOAD(a), y = LOAD(b);
                atomic_thread_fence(memory_order_acquire);
                if (before % 2 == 0 && LOAD(sequence) == before) {
                        assert(x == y);
                        break;
                }
        }
        return arg;
}

int main(void)
{
        RUN(writer, reader);
}
