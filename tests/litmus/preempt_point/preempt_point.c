/* heddle_preempt is a place to switch at, also with --preempt sync. */
#include <heddle/heddle.h>

#include "../litmus.h"

int x;

static void *worker(void *arg)
{
        int old = x;

        heddle_preempt();
        x = old + 1;
        return NULL;
}

int main(void)
{
        RUN(worker, worker);
        return 0;
}
