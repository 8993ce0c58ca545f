/*
 * Mutual exclusion by two flags: raise one's own, enter if the other's is down.  Right if memory did what the text says; on
 * x86 the store to one's own flag may still wait in the processor's store buffer while the other's flag is read.
 *
 *     heddle check flags.c                 no failure
 *     heddle check --memory tso flags.c    both threads are inside
 *     heddle check --memory tso -DFENCE flags.c
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag[2];
static int inside;

static void *enter(void *arg)
{
        int me = arg != NULL;

        atomic_store_explicit(&flag[me], 1, memory_order_relaxed);
#ifdef FENCE
        atomic_thread_fence(memory_order_seq_cst);
#endif
        if (!atomic_load_explicit(&flag[!me], memory_order_relaxed)) {
                inside++;
                assert(inside == 1);
                inside--;
        }
        return NULL;
}

int main(void)
{
        pthread_t a, b;

        pthread_create(&a, NULL, enter, NULL);
        pthread_create(&b, NULL, enter, &b);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        return 0;
}
