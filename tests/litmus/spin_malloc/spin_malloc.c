/* A loop that allocates and frees in every round. */
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "../litmus.h"

static atomic_int flag;
static int data;

static void *spinner(void *arg)
{
        int seen;

        do {
                int *copy = malloc(sizeof *copy);

                *copy = atomic_load(&flag);
                seen = *copy;
                free(copy);
        } while (!seen);
        assert(data == 42);
        return NULL;
}

static void *setter(void *arg)
{
        data = 42;
        atomic_store(&flag, 1);
        return NULL;
}

int main(void)
{
        RUN(spinner, setter);
        return 0;
}
