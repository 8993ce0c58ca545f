/* With --preempt sync plain accesses are not preemption points. */
#include "../litmus.h"

int x;

static void *worker(void *arg)
{
        x++;
        x++;
        return NULL;
}

int main(void)
{
        RUN(worker, worker);
        return 0;
}
