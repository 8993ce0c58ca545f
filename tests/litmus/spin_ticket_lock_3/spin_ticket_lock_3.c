/* A ticket lock with three threads. */
#include <assert.h>
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int next, serving;
static int counter;

static void acquire(void)
{
        int ticket = atomic_fetch_add(&next, 1);

        while (atomic_load(&serving) != ticket)
                ;
}

static void release(void)
{
        atomic_fetch_add(&serving, 1);
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
        RUN(worker, worker, worker);
        assert(counter == 3);
        return 0;
}
