/* A do-while loop over a relaxed load into a local variable. */
#include <assert.h>
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int flag;
static int data;

static void *spinner(void *arg)
{
        int seen;

        do {
                seen = atomic_load_explicit(&flag, memory_order_relaxed);
        } while (seen == 0);
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
