/* Weak memory: stores that reach memory after it was freed. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static char *block;
static atomic_int done;

static void *writer(void *arg)
{
#if CASE == 0 /* nothing orders them: the store may be made before and reach memory after */
        *block = 1; /* HERE */
#elif CASE == 1 /* a flag that says it is done: under pso it may overtake the store */
        *block = 1; /* HERE */
        atomic_store_explicit(&done, 1, memory_order_relaxed);
#elif CASE == 2
        *block = 1;
        atomic_store_explicit(&done, 1, memory_order_release);
#elif CASE == 3 /* several words, and a load of what waits in the buffer */
        memset(block, 1, 32); /* HERE */
        done = block[3] == 1; /* HERE */
#endif
        return arg;
}

static void *owner(void *arg)
{
#if CASE == 1 || CASE == 2
        if (!atomic_load_explicit(&done, memory_order_acquire))
                return arg;
#endif
        free(block); /* FREED */
        return arg;
}

int main(void)
{
        pthread_t a, b;

        block = malloc(32); /* MADE */
        pthread_create(&a, NULL, writer, NULL);
        pthread_create(&b, NULL, owner, NULL);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        return 0;
}
