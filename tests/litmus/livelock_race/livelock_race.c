/* The flag is set, and cleared again by another thread. */
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int flag;

static void *spinner(void *arg)
{
        while (!atomic_load(&flag))
                ;
        return NULL;
}

static void *setter(void *arg)
{
        atomic_store(&flag, 1);
        return NULL;
}

static void *clearer(void *arg)
{
        atomic_store(&flag, 0);
        return NULL;
}

int main(void)
{
        RUN(spinner, setter, clearer);
        return 0;
}
