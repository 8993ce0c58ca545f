/* A test-and-set lock of three threads: those that wait write what is there already, and do not wake each other. */
#include <assert.h>
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int lock;
static int counter;

static void *worker(void *arg)
{
        while (atomic_exchange(&lock, 1))
                ;
        counter++;
        atomic_store(&lock, 0);
        return arg;
}

int main(void)
{
        RUN(worker, worker, worker);
        assert(counter == 3);
        return 0;
}
