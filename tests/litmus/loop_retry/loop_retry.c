/* A failed attempt continues with the value of another variable, which leads to the state that a read of x leads to.  But x is 2 only
 * after z has changed: `attempts` may have seen z as it was, and then replace 2. */
#include <assert.h>
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int x, y, z;

static void *attempts(void *arg)
{
        int a = atomic_load(&x), b;

        for (;;) {
                b = atomic_load(&z);
                if (atomic_compare_exchange_strong(&x, &a, 3))
                        break;
                a = atomic_load(&y);
        }
        assert(a != 2 || b != 0);
        return arg;
}

static void *changes(void *arg)
{
        atomic_store(&y, 2);
        atomic_store(&x, 1);
        atomic_store(&z, 1);
        atomic_store(&x, 2);
        return arg;
}

int main(void)
{
        RUN(changes, attempts);
        return 0;
}
