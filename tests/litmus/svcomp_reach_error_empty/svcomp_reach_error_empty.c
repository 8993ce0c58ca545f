/* reach_error that does nothing, which the compiler does not announce: the call is the failure. */

#include "../litmus.h"

static int x;

void reach_error(void)
{
}

static void *worker(void *arg)
{
        x++;
        return NULL;
}

int main(void)
{
        RUN(worker, worker);
        if (x != 2)
                reach_error();
        return 0;
}
