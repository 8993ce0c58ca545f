/* A thread spins on a flag that no thread sets. */
#include <stdatomic.h>

#include "../litmus.h"

atomic_int flag; /* not static: a compiler might see that it stays zero */

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
