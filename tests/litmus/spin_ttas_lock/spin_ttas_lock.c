/* Test, and only then test-and-set. */
#include <assert.h>
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int lock;
static int counter;

static void acquire(void)
{
        for (;;) {
                while (atomic_load(&lock))
                        ;
                if (!atomic_exchange(&lock, 1))
                        return;
        }
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
