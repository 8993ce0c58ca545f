/*
 * A pool of slots in one block of the heap.  What is freed goes back to the pool if its address is within it, otherwise to the heap;
 * where the pool is among the other blocks is the allocator's matter, and decides which comparison says so.
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 400
#define SLOT  1200

static char *pool, *end;
static int used, below, balance;

static __attribute__((noinline)) void *get(size_t size)
{
        return size <= SLOT && used < SLOTS ? pool + SLOT * used++ : malloc(size);
}

static __attribute__((noinline)) void put(void *p)
{
        if ((uintptr_t)p < (uintptr_t)end) {
                __atomic_add_fetch(&below, 1, __ATOMIC_RELAXED);
                if ((uintptr_t)p >= (uintptr_t)pool) {
                        memset(p, 0, 8);
                        return;
                }
        }
        free(p);
}

static void *add(void *arg)
{
        for (int i = 0; i < 3; i++) {
                int seen = balance;
                void *p = get(seen % 2 ? 100 : SLOT + 1);

                balance = seen + 1;
                put(p);
        }
        return arg;
}

int main(void)
{
        pthread_t t[2];

        pool = malloc(SLOT * SLOTS);
        end = pool + SLOT * SLOTS;
        for (int i = 0; i < 16; i++)
                put(get(SLOT + 100 * (size_t)i));
        for (int i = 0; i < 2; i++)
                pthread_create(&t[i], NULL, add, NULL);
        for (int i = 0; i < 2; i++)
                pthread_join(t[i], NULL);
        assert(balance > 6);
        return 0;
}
