/* Message passing without a single atomic. */
#include "../litmus.h"

static int data, flag;
int r1, r2;

static void *sender(void *arg)
{
        data = 1;
        flag = 1;
        return NULL;
}

static void *receiver(void *arg)
{
        r1 = flag;
        r2 = data;
        return NULL;
}

int main(void)
{
        RUN(sender, receiver);
        return 0;
}
