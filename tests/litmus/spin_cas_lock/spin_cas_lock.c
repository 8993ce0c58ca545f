/* A lock taken by compare-and-swap. */
#include <assert.h>
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int lock;
static int counter;

static void acquire(void)
{
        int unlocked = 0;

        while (!atomic_compare_exchange_strong(&lock, &unlocked, 1))
                unlocked = 0;
}

static void release(void)
{
        atomic_store(&lock, 0);
}

static void *worker(void *arg)
{
        acquire();
        counter++;
        release();
        return NULL;
}

int main(void)
{
        RUN(worker, worker);
        assert(counter == 2);
        return 0;
}
