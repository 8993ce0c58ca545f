/* A loop that gives up after some rounds, which it counts in a register. */
#include <stdatomic.h>

#include "../litmus.h"

atomic_int flag;
volatile int most = 3;
int rounds;

static void *waits(void *arg)
{
        int n = 0, limit = most;

        while (!atomic_load(&flag) && n < limit)
                n++;
        rounds = n;
        return arg;
}

static void *raises(void *arg)
{
        atomic_store(&flag, 1);
        return arg;
}

int main(void)
{
        RUN(waits, raises);
        return 0;
}
