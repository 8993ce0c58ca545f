/* Store buffering: each thread may miss the store of the other one, which no order of all accesses explains. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define ROUNDS 8

static _Alignas(128) atomic_int x;
static _Alignas(128) atomic_int y;
static _Alignas(128) int seen;
static _Alignas(128) atomic_int phase, arrived;

static void meet(void)
{
        int p = atomic_load(&phase);

        if (atomic_fetch_add(&arrived, 1) == 1) {
                atomic_store(&arrived, 0);
                atomic_fetch_add(&phase, 1);
        } else {
                while (atomic_load(&phase) == p) {
                }
        }
}

static void delay(int n)
{
        for (volatile int i = 0; i < n; i++) {
        }
}

static void *other(void *arg)
{
        for (int i = 0; i < ROUNDS; i++) {
                meet();
                delay(i * 7 % 61);
                atomic_store_explicit(&x, 1, memory_order_relaxed);
                seen = atomic_load_explicit(&y, memory_order_relaxed);
                meet();
                meet();
        }
        return arg;
}

int main(void)
{
        pthread_t t;

        pthread_create(&t, NULL, other, NULL);
        for (int i = 0; i < ROUNDS; i++) {
                meet();
                delay(i * 5 % 53);
                atomic_store_explicit(&y, 1, memory_order_relaxed);
                int r = atomic_load_explicit(&x, memory_order_relaxed);
                meet();
                assert(r || seen);
                x = y = 0;
                meet();
        }
        pthread_join(t, NULL);
        return 0;
}
