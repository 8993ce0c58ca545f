/* A test-and-set lock: every round writes what is there already. */
#include <assert.h>
#include <stdatomic.h>

#include "../litmus.h"

static atomic_flag lock = ATOMIC_FLAG_INIT;
static int counter;

static void acquire(void)
{
        while (atomic_flag_test_and_set(&lock))
                ;
}

static void release(void)
{
        atomic_flag_clear(&lock);
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
