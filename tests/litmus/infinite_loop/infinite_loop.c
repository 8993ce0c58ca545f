/* One order of the two threads leads into a loop that touches nothing. */
#include "../litmus.h"

static volatile int flag;

static void *setter(void *arg)
{
        flag = 1;
        return NULL;
}

static void *looper(void *arg)
{
        int seen = flag;

        for (;;)
                if (seen)
                        break;
        return NULL;
}

int main(void)
{
        RUN(setter, looper);
        return 0;
}
