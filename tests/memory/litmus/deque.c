/*
 * The work-stealing deque of Chase and Lev, as Lê, Pop, Cohen and Zappa Nardelli (PPoPP 2013) wrote it with C11 atomics;
 * the owner puts ITEMS and takes them, a thief steals STEALS times.  Every item is had by exactly one.
 *
 *     -DNO_TAKE_FENCE   without the fence of take: under tso the owner takes what was stolen (two items, two steals)
 *     -DNO_PUSH_FENCE   without the fence of push: under pso the thief gets an item that is not there yet
 */
#include <assert.h>
#include <stdatomic.h>

#include "../../litmus/litmus.h"

#ifndef ITEMS
#define ITEMS 1
#endif
#ifndef STEALS
#define STEALS 1
#endif

static atomic_int top, bottom, array[4];
static int taken[ITEMS + 1], stolen[ITEMS + 1];

#define LOAD(x)     atomic_load_explicit(&(x), memory_order_relaxed)
#define STORE(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)

static void push(int item)
{
        int b = LOAD(bottom);
        STORE(array[b % 4], item);
#ifndef NO_PUSH_FENCE
        atomic_thread_fence(memory_order_release);
#endif
        STORE(bottom, b + 1);
}

static int advance(int t)
{
        return atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed);
}

static int take(void)
{
        int b = LOAD(bottom) - 1, item = 0;
        STORE(bottom, b);
#ifndef NO_TAKE_FENCE
        atomic_thread_fence(memory_order_seq_cst);
#endif
        int t = LOAD(top);
        if (t <= b) {
                item = LOAD(array[b % 4]);
                if (t < b)
                        return item;
                if (!advance(t))
                        item = 0;
        }
        STORE(bottom, b + 1);
        return item;
}

static int steal(void)
{
        int t = atomic_load_explicit(&top, memory_order_acquire);
        atomic_thread_fence(memory_order_seq_cst);
        int b = atomic_load_explicit(&bottom, memory_order_acquire);
        if (t >= b)
                return 0;
        int item = LOAD(array[t % 4]);
        assert(item != 0);
        return advance(t) ? item : 0;
}

static void *owner(void *arg)
{
        for (int i = 1; i <= ITEMS; i++)
                push(i);
        for (int i = 1; i <= ITEMS; i++) {
                int item = take();
                if (item)
                        taken[item]++;
        }
        return arg;
}

static void *thief(void *arg)
{
        for (int i = 0; i < STEALS; i++) {
                int item = steal();
                if (item)
                        stolen[item]++;
        }
        return arg;
}

int main(void)
{
        RUN(owner, thief);
        for (int i = 1; i <= ITEMS; i++)
                assert(taken[i] + stolen[i] == 1);
}
