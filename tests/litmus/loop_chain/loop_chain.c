/* A thread follows indices from one cell to the next.  At each of its loads all is the same but the object. */
#include <stdatomic.h>

#include "../litmus.h"

atomic_int next[4] = {1, 2, 3, 9};
int last;

static void *walks(void *arg)
{
        int at = 0;

        do
                at = atomic_load(&next[at]);
        while (at < 4);
        last = at;
        return arg;
}

static void *shortens(void *arg)
{
        atomic_store(&next[1], 8);
        return arg;
}

int main(void)
{
        RUN(walks, shortens);
        return 0;
}
