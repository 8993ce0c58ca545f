/* Many executions that crash, all at the same place. */
#include <stddef.h>

#include "../litmus.h"

static int x;
static int *volatile nowhere;

static void *worker(void *arg)
{
        x++;
        x++;
        return NULL;
}

int main(void)
{
        RUN(worker, worker);
        if (x != 4)
                *nowhere = 1;
        return 0;
}
