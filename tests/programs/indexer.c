/*
 * The indexer of Flanagan and Godefroid, "Dynamic Partial-Order Reduction for Model Checking Software" (2005): N
 * threads insert 4 messages each into a hash table of 128 slots by compare-and-swap, and try the next slot where one
 * is taken.
 *
 * Messages are equal only between threads whose numbers differ by a multiple of 11, so up to 11 threads never meet:
 * one behaviour.  Each thread more meets its partner in 3 slots, and who comes first there is one bit: 8^(N-11).
 *
 * REVERSE creates the threads in the other order.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 11
#endif
#ifndef REVERSE
#define REVERSE 0
#endif

enum { SLOTS = 128, MESSAGES = 4 };

static atomic_int table[SLOTS];

static void insert(int message)
{
        int slot = message * 7 % SLOTS;

        for (;;) {
                int empty = 0;

                if (atomic_compare_exchange_strong(&table[slot], &empty, message))
                        return;
                slot = (slot + 1) % SLOTS;
        }
}

static void *indexer(void *arg)
{
        int me = (int)(intptr_t)arg;

        for (int m = 1; m <= MESSAGES; m++)
                insert(m * 11 + me);
        return NULL;
}

int main(void)
{
        pthread_t threads[N];

        for (int i = 0; i < N; i++) {
                int who = REVERSE ? N - 1 - i : i;
                pthread_create(&threads[who], NULL, indexer, (void *)(intptr_t)who);
        }
        for (int i = 0; i < N; i++)
                pthread_join(threads[i], NULL);
        return 0;
}
