/* Message passing. */
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int data, flag;
int r1, r2;

static void *sender(void *arg)
{
        atomic_store(&data, 1);
        atomic_store(&flag, 1);
        return NULL;
}

static void *receiver(void *arg)
{
        r1 = atomic_load(&flag);
        r2 = atomic_load(&data);
        return NULL;
}

int main(void)
{
        RUN(sender, receiver);
        return 0;
}
