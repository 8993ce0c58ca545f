/*
 * A ring of two places between one producer and one consumer, ITEMS of them, plain data.
 *
 *     -DBROKEN   the index is a relaxed store: under pso the consumer sees it before the item
 */
#include <assert.h>
#include <stdatomic.h>

#include "../../litmus/litmus.h"

#ifndef ITEMS
#define ITEMS 3
#endif
#ifdef BROKEN
#define PUBLISH memory_order_relaxed
#else
#define PUBLISH memory_order_release
#endif

static atomic_int head, tail;
static int ring[2];

static void *producer(void *arg)
{
        for (int i = 0; i < ITEMS; i++) {
                while (i - atomic_load_explicit(&head, memory_order_acquire) == 2)
                        ;
                ring[i % 2] = i + 1;
                atomic_store_explicit(&tail, i + 1, PUBLISH);
        }
        return arg;
}

static void *consumer(void *arg)
{
        for (int i = 0; i < ITEMS; i++) {
                while (atomic_load_explicit(&tail, memory_order_acquire) == i)
                        ;
                assert(ring[i % 2] == i + 1);
                atomic_store_explicit(&head, i + 1, memory_order_release);
        }
        return arg;
}

int main(void)
{
        RUN(producer, consumer);
}
