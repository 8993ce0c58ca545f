/* Whether main has to wait for a thread at a join differs between equivalent executions: it counts for no --thread-depth. */
#include <stdatomic.h>

#include "../litmus.h"

atomic_int x, y, z;

static void *first(void *arg)
{
        int none = 0;

        if (atomic_compare_exchange_strong(&x, &none, 1))
                y = 1;
        else
                y = y * 2 + 5;
        return arg;
}

static void *second(void *arg)
{
        int one = 1;

        if (atomic_compare_exchange_strong(&x, &one, 3)) {
                z = y;
        } else {
                z = y + 9;
                atomic_fetch_add(&x, 1);
        }
        return arg;
}

static void *third(void *arg)
{
        atomic_fetch_add(&x, 1);
        atomic_fetch_add(&y, x);
        return arg;
}

int main(void)
{
        RUN(first, second, third);
        return 0;
}
