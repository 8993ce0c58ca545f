/* The plainest spin loop there is. */
#include <assert.h>
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int flag;
static int data;

static void *spinner(void *arg)
{
        while (!atomic_load(&flag))
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
