/* heddle_assert stays on under NDEBUG. */
#include <assert.h>
#include <heddle/heddle.h>

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
        assert(x == 3);
        heddle_assert(x == 2);
        return 0;
}
