/* Every execution is longer than the limit. */
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int x;

static void *worker(void *arg)
{
        for (int i = 0; i < 30; i++)
                atomic_fetch_add(&x, 1);
        return NULL;
}

int main(void)
{
        RUN(worker, worker);
        return 0;
}
