/* Both stores may wait in their buffers while both loads are done: tso only. */
#include <assert.h>
#include <pthread.h>

static int x, y, seen_x, seen_y;

static void *first(void *arg)
{
        __atomic_store_n(&x, 1, __ATOMIC_RELAXED);
        seen_y = __atomic_load_n(&y, __ATOMIC_RELAXED);
        return arg;
}

static void *second(void *arg)
{
        __atomic_store_n(&y, 1, __ATOMIC_RELAXED);
        seen_x = __atomic_load_n(&x, __ATOMIC_RELAXED);
        return arg;
}

int main(void)
{
        pthread_t a, b;

        pthread_create(&a, NULL, first, NULL);
        pthread_create(&b, NULL, second, NULL);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        assert(seen_x || seen_y);
        return 0;
}
