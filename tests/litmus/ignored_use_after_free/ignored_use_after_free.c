/* A block is freed before its use where threads are preempted only at thread operations: the other order was not tried. */
#include <stdlib.h>

#include "../litmus.h"

static int *block;

static void *uses(void *arg)
{
        (void)*(volatile int *)block;
        return arg;
}

int main(void)
{
        pthread_t t;

        block = malloc(sizeof *block);
        *block = 3;
        pthread_create(&t, NULL, uses, NULL);
        free(block);
        pthread_join(t, NULL);
        return 0;
}
