/* A spin loop that sleeps: virtual time passes, and does not count as a change. */
#include <assert.h>
#include <stdatomic.h>
#include <unistd.h>

#include "../litmus.h"

static atomic_int flag;
static int data;

static void *spinner(void *arg)
{
        while (!atomic_load(&flag))
                usleep(10);
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
