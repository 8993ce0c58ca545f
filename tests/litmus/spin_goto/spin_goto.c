/* A loop made of goto that looks at two variables. */
#include <assert.h>
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int flag;
static atomic_int closed;
static int data;

static void *spinner(void *arg)
{
        int seen;

again:
        seen = atomic_load(&flag);
        if (atomic_load(&closed))
                return NULL;
        if (!seen)
                goto again;
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
