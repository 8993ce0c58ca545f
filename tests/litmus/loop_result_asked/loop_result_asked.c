/*
 * A round of one load, which keeps what it has read in a variable whose address is handed on.  Only a round that reads 0 asks for it, and the first
 * one of these leads back: it is known to before rounds that read something else are.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x = 2;

__attribute__((noinline)) static void put(int *result, int value)
{
        *result = value;
}

static void *waits(void *arg)
{
        int found = 0, last = 0;

        for (;;) {
                found = atomic_load(&x);
                if (found == 0 && last != 0)
                        break;
                put(&last, found);
        }
        assert(0);
        return arg;
}

static void *changes(void *arg)
{
        atomic_store(&x, 0);
        return arg;
}

int main(void)
{
        pthread_t t, u;

        pthread_create(&t, NULL, changes, NULL);
        pthread_create(&u, NULL, waits, NULL);
        pthread_join(t, NULL);
        pthread_join(u, NULL);
        return 0;
}
