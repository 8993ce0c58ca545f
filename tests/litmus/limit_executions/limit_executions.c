/* A limit that cuts the exploration short never calls the program safe. */
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int x;

static void *worker(void *arg)
{
        atomic_fetch_add(&x, 1);
        return NULL;
}

int main(void)
{
        RUN(worker, worker, worker);
        return 0;
}
