/*
 * A work-stealing queue (Chase and Lev): the owner pushes and takes at the bottom, a thief steals at the top and tries
 * again until all is gone.  Each element is handed out once.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define ITEMS 2
enum { EMPTY = -1, ABORT = -2 };

static atomic_long top, bottom;
static atomic_int items[4];
static atomic_int taken[ITEMS], left;

static void push(int v)
{
        long b = atomic_load_explicit(&bottom, memory_order_relaxed);

        atomic_store_explicit(&items[b & 3], v, memory_order_relaxed);
        atomic_store(&bottom, b + 1);
}

static int take(void)
{
        long b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1, t;
        int v = EMPTY;

        atomic_store(&bottom, b);
        t = atomic_load(&top);
        if (t <= b) {
                v = atomic_load_explicit(&items[b & 3], memory_order_relaxed);
                if (t == b) {
                        if (!atomic_compare_exchange_strong(&top, &t, t + 1))
                                v = EMPTY;
                        atomic_store(&bottom, b + 1);
                }
        } else {
                atomic_store(&bottom, b + 1);
        }
        return v;
}

static int steal(void)
{
        long t = atomic_load(&top), b = atomic_load(&bottom);
        int v;

        if (t >= b)
                return EMPTY;
        v = atomic_load_explicit(&items[t & 3], memory_order_relaxed);
        return atomic_compare_exchange_strong(&top, &t, t + 1) ? v : ABORT;
}

static void got(int v)
{
        assert(atomic_fetch_add(&taken[v], 1) == 0);
        atomic_fetch_sub(&left, 1);
}

static void *thief(void *arg)
{
        while (atomic_load(&left) > 0) {
                int v = steal();

                while (v == ABORT)
                        v = steal();
                if (v >= 0)
                        got(v);
        }
        return arg;
}

int main(void)
{
        pthread_t t;
        int v;

        atomic_store(&left, ITEMS);
        pthread_create(&t, 0, thief, 0);
        for (int i = 0; i < ITEMS; i++)
                push(i);
        while ((v = take()) >= 0)
                got(v);
        pthread_join(t, 0);
        return 0;
}
