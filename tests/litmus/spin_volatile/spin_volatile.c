/* A spin loop over a volatile variable. */
#include <assert.h>

#include "../litmus.h"

static volatile int flag;
static int data;

static void *spinner(void *arg)
{
        while (!flag)
                ;
        assert(data == 42);
        return NULL;
}

static void *setter(void *arg)
{
        data = 42;
        flag = 1;
        return NULL;
}

int main(void)
{
        RUN(spinner, setter);
        return 0;
}
