/* Each spins until the other is done. */
#include <sched.h>
#include <stdatomic.h>

#include "../litmus.h"

atomic_int left_done, right_done; /* not static: a compiler might see that they stay zero */

static void *left(void *arg)
{
        while (!atomic_load(&right_done))
                sched_yield();
        atomic_store(&left_done, 1);
        return NULL;
}

static void *right(void *arg)
{
        while (!atomic_load(&left_done))
                sched_yield();
        atomic_store(&right_done, 1);
        return NULL;
}

int main(void)
{
        RUN(left, right);
        return 0;
}
