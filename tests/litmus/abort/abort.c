/* The program gives up. */
#include <stdlib.h>

#include "../litmus.h"

static int x;

static void *worker(void *arg)
{
        x++;
        return NULL;
}

int main(void)
{
        RUN(worker, worker);
        if (x == 1)
                abort();
        return 0;
}
