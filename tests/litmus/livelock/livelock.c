/* A thread spins on a flag that nobody sets. */
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int flag;

static void *spinner(void *arg)
{
        while (!atomic_load(&flag))
                ;
        return NULL;
}

int main(void)
{
        RUN(spinner);
        return 0;
}
