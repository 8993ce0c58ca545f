/*
 * The indexer as appendix A.2 of Florian's SCALE thesis has it: compare-and-swap done under one mutex per slot, and main
 * is one of the N threads.  No two threads meet up to N = 11.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#ifndef N
#define N 8
#endif

enum { SLOTS = 128, MESSAGES = 4 };

static int table[SLOTS];
static pthread_mutex_t lock_of[SLOTS];

static bool claim(int slot, int message)
{
        bool empty;

        pthread_mutex_lock(&lock_of[slot]);
        empty = table[slot] == 0;
        if (empty)
                table[slot] = message;
        pthread_mutex_unlock(&lock_of[slot]);
        return empty;
}

static void *indexer(void *arg)
{
        int me = (int)(intptr_t)arg;

        for (int m = 1; m <= MESSAGES; m++) {
                int message = m * 11 + me;
                int slot = message * 7 % SLOTS;

                while (!claim(slot, message))
                        slot = (slot + 1) % SLOTS;
        }
        return NULL;
}

int main(void)
{
        pthread_t threads[N];

        for (int i = 0; i < SLOTS; i++)
                pthread_mutex_init(&lock_of[i], NULL);
        for (int i = 0; i < N - 1; i++)
                pthread_create(&threads[i], NULL, indexer, (void *)(intptr_t)i);
        indexer((void *)(intptr_t)(N - 1));
        for (int i = 0; i < N - 1; i++)
                pthread_join(threads[i], NULL);
        for (int i = 0; i < SLOTS; i++)
                pthread_mutex_destroy(&lock_of[i]);
        return 0;
}
