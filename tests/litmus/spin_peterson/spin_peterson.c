/* Peterson's lock: each spins on two variables. */
#include <assert.h>
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int wants[2], turn;
static int counter;

static void enter_and_leave(int me)
{
        int other = 1 - me;

        atomic_store(&wants[me], 1);
        atomic_store(&turn, other);
        while (atomic_load(&wants[other]) && atomic_load(&turn) == other)
                ;
        counter++;
        atomic_store(&wants[me], 0);
}

static void *left(void *arg)
{
        enter_and_leave(0);
        return NULL;
}

static void *right(void *arg)
{
        enter_and_leave(1);
        return NULL;
}

int main(void)
{
        RUN(left, right);
        assert(counter == 2);
        return 0;
}
