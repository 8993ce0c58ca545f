/*
 * For algorithms of mutual exclusion: flags are relaxed atomics, so that only the fences of the row order them.
 *
 *     -DFENCE=0   none: broken by tso
 *     -DFENCE=1   one full fence between announcing and looking: enough for tso, not for pso
 *     -DFENCE=2   all that pso needs too: what is stored in turn is stored in order, and the exit is a release store
 */
#ifndef MUTUAL_H
#define MUTUAL_H

#include <assert.h>
#include <stdatomic.h>

#include "../../litmus/litmus.h"

#ifndef FENCE
#define FENCE 0
#endif

#define SET(x, v)  atomic_store_explicit(&(x), v, memory_order_relaxed)
#define GET(x)     atomic_load_explicit(&(x), memory_order_relaxed)
#define FULL()     (FENCE >= 1 ? atomic_thread_fence(memory_order_seq_cst) : (void)0)
#define IN_ORDER() (FENCE >= 2 ? atomic_thread_fence(memory_order_release) : (void)0)

static volatile int inside;

static void critical_section(void)
{
        inside++;
        assert(inside == 1);
        inside--;
        IN_ORDER();
}

static void enter_and_leave(int me);

static void *first(void *arg)
{
        enter_and_leave(0);
        return arg;
}

static void *second(void *arg)
{
        enter_and_leave(1);
        return arg;
}

int main(void)
{
        RUN(first, second);
}

#endif
