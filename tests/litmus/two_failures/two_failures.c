/* Two distinct failures, each listed once. */
#include <assert.h>

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
        assert(x != 1);
        assert(x != 2);
        return 0;
}
