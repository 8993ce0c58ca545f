/* A spin loop over a plain variable; at -O0 it reads again. */
#include <assert.h>

#include "../litmus.h"

static int flag;
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
