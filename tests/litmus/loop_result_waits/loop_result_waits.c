/*
 * A round of one load, which stores what it has read in a variable of its caller.  Rounds that differ by this variable alone may be cut as
 * long as it seems to be overwritten before it is read, but a load that leads to another value of it is not one that waits.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

__attribute__((noinline)) static void put(int *result, int value)
{
        *result = value;
}

static void *waits(void *arg)
{
        int found = 0, last = 0;

        for (;;) {
                found = atomic_load(&x);
                if (found == 2)
                        break;
                put(&last, found);
        }
        assert(last != 1);
        return arg;
}

static void *one(void *arg)
{
        int none = 0;

        atomic_compare_exchange_strong(&x, &none, 1);
        return arg;
}

static void *two(void *arg)
{
        atomic_store(&x, 2);
        return arg;
}

int main(void)
{
        pthread_t t, u, v;

        pthread_create(&t, NULL, waits, NULL);
        pthread_create(&u, NULL, one, NULL);
        pthread_create(&v, NULL, two, NULL);
        pthread_join(t, NULL);
        pthread_join(u, NULL);
        pthread_join(v, NULL);
        return 0;
}
