/* A spin loop with a pause instruction and a fence. */
#include <assert.h>
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int flag;
static int data;

static void *spinner(void *arg)
{
        while (!atomic_load(&flag)) {
                __builtin_ia32_pause();
                atomic_thread_fence(memory_order_seq_cst);
        }
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
