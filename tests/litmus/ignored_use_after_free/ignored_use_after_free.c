/* A block is freed before or after its use where threads are preempted only at thread operations: the use is none, and races. */
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
