/* The condition is checked two calls down. */
#include <assert.h>
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int flag;
static int data;

static int look(void)
{
        return atomic_load(&flag);
}

static int is_ready(void)
{
        return look() != 0;
}

static void *spinner(void *arg)
{
        while (!is_ready())
                ;
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
