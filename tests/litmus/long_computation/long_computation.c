/* A thread computes for longer than --loop-time, in memory of its own: that is not a loop that does not end. */
#include "../litmus.h"

static unsigned long numbers[64];
static int flag;

static void *computes(void *arg)
{
        for (unsigned long i = 1; i; i++)
                numbers[i % 64] += i;
        return NULL;
}

static void *other(void *arg)
{
        __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
        return NULL;
}

int main(void)
{
        RUN(computes, other);
        return (int)numbers[1];
}
