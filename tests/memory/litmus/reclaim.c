/* What a reader announces that it uses is not freed: the announcement, and the unlinking, must be in memory before the other
 * side looks. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef FENCE
#define BETWEEN atomic_thread_fence(memory_order_seq_cst)
#else
#define BETWEEN ((void)0)
#endif

static _Atomic(int *) published;
static atomic_int reading;

static void *reader(void *arg)
{
        int *p;

        atomic_store_explicit(&reading, 1, memory_order_relaxed);
        BETWEEN;
        p = atomic_load_explicit(&published, memory_order_acquire);
        if (p)
                *p += 1;
        atomic_store_explicit(&reading, 0, memory_order_release);
        return arg;
}

int main(void)
{
        pthread_t t;
        int *p = calloc(1, sizeof *p);

        atomic_store(&published, p);
        pthread_create(&t, NULL, reader, NULL);
        atomic_store_explicit(&published, NULL, memory_order_relaxed);
        BETWEEN;
        if (!atomic_load_explicit(&reading, memory_order_acquire)) {
                free(p);
                p = NULL;
        }
        pthread_join(t, NULL);
        free(p);
        return 0;
}
