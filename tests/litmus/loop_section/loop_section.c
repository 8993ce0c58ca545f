/* Two threads wait for additions in atomic sections, as for plain ones: the orders of the two, and of what follows. */
#include <stdatomic.h>

#include <heddle/heddle.h>

#include "../litmus.h"

atomic_int x, n;

static void *adds(void *arg)
{
        heddle_atomic_begin();
        x++;
        heddle_atomic_end();
        return arg;
}

static void *waits(void *arg)
{
        while (atomic_load(&x) != 2)
                ;
        n++;
        return arg;
}

int main(void)
{
        RUN(adds, adds, waits, waits);
        return 0;
}
