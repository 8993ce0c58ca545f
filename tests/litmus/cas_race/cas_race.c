/* Three threads try to be the first. */
#include <stdatomic.h>

#include "../litmus.h"

atomic_int winner;

static void claim(int me)
{
        int nobody = 0;

        atomic_compare_exchange_strong(&winner, &nobody, me);
}

static void *first(void *arg)
{
        claim(1);
        return NULL;
}

static void *second(void *arg)
{
        claim(2);
        return NULL;
}

static void *third(void *arg)
{
        claim(3);
        return NULL;
}

int main(void)
{
        RUN(first, second, third);
        return 0;
}
