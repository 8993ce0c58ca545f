/* The flag says that the copy has begun, not that it has ended. */
#include <stdlib.h>
#include <string.h>

#include "../litmus.h"

static long *block;

static void *copier(void *arg)
{
        static const long from[4] = {1, 2, 3, 4};

        memcpy(block, from, sizeof from);
        return NULL;
}

static void *freer(void *arg)
{
        if (__atomic_load_n(&block[0], __ATOMIC_ACQUIRE))
                free(block);
        return NULL;
}

int main(void)
{
        block = calloc(4, sizeof *block);
        RUN(copier, freer);
        return 0;
}
