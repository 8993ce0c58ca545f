/* A loop that gives up after some rounds, which a function counts in a local variable whose address it was given. */
#include <stdatomic.h>

#include "../litmus.h"

atomic_int flag;
int rounds;

__attribute__((noinline)) static int again(int *n)
{
        return ++*n < 3;
}

__attribute__((noinline)) static void keep(const int *n)
{
        rounds = *n;
}

static void *waits(void *arg)
{
        int n = 0;

        while (!atomic_load(&flag) && again(&n)) {
        }
        keep(&n);
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
