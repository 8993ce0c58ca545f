/* pthread_once runs its function once, and no thread gets past it before it has ended. */
#include <assert.h>

#include "../litmus.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
int calls;
static int ready;

static void init(void)
{
        calls++;
        ready = 1;
}

static void *worker(void *arg)
{
        pthread_once(&once, init);
        assert(ready);
        return NULL;
}

int main(void)
{
        RUN(worker, worker);
        return 0;
}
