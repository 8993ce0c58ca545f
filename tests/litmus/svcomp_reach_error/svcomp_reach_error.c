/* reach_error as the competition's programs define it. */
#include <assert.h>

#include "../litmus.h"

static int x;

void reach_error(void)
{
        assert(0);
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
