/* A thread waits for memory that no other thread touches, with more accesses in a round than it is watched for at first. */
#include "../litmus.h"

static volatile int never, flag, count;

static void *setter(void *arg)
{
        flag = 1;
        return NULL;
}

static void *waiter(void *arg)
{
        if (flag)
                while (!never)
                        for (count = 0; count < ROUND; count++)
                                ;
        return NULL;
}

int main(void)
{
        RUN(setter, waiter);
        return 0;
}
