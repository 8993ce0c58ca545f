/*
 * The result of an attempt that fails is returned, if the next one is not made.  The same bytes are overwritten otherwise, so rounds look
 * different by them only.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x = 5;

__attribute__((noinline)) static int attempt(int *result)
{
        for (;;) {
                int found = atomic_load(&x);

                if (found == 2)
                        return 0;
                *result = found;
                if (atomic_compare_exchange_strong(&x, &found, 7))
                        return 1;
        }
}

static void *takes(void *arg)
{
        int result = -1;

        if (!attempt(&result))
                assert(result != 5);
        return arg;
}

static void *changes(void *arg)
{
        int five = 5, one = 1;

        atomic_compare_exchange_strong(&x, &five, 1);
        atomic_compare_exchange_strong(&x, &one, 2);
        return arg;
}

int main(void)
{
        pthread_t t, u;

        pthread_create(&t, NULL, takes, NULL);
        pthread_create(&u, NULL, changes, NULL);
        pthread_join(t, NULL);
        pthread_join(u, NULL);
        return 0;
}
