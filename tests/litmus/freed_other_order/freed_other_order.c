/* A block is freed and then used, which ends the thread.  Only a preemption before free() shows what the thread does otherwise. */
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "../litmus.h"

static int *block;
static atomic_int ready;

static void *frees(void *arg)
{
        atomic_store(&ready, 1);
        free(block);
        return arg;
}

static void *uses(void *arg)
{
        if (atomic_load(&ready)) {
                (void)*(volatile int *)block;
                assert(!"reached");
        }
        return arg;
}

int main(void)
{
        block = malloc(sizeof *block);
        *block = 3;
        RUN(frees, uses);
        return 0;
}
