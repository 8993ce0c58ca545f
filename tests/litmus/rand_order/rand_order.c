/* The state of rand changes at once, under weak memory too: both orders. */
#include <stdlib.h>

#include "../litmus.h"

int first, second;
static int a, b;

static void *one(void *arg)
{
        a = rand();
        return arg;
}

static void *two(void *arg)
{
        b = rand();
        return arg;
}

int main(void)
{
        int x, y;

        srand(1);
        x = rand();
        y = rand();
        srand(1);
        RUN(one, two);
        first = a == x && b == y;
        second = a == y && b == x;
        return 0;
}
