/* A thread puts a flag up and down and counts, until it is let go; its rounds are limited.  Another one may come to a loop that waits for the flag just when the
 * first one has to let it run: then the first one goes on. */
#include <stdatomic.h>

#include "../litmus.h"

atomic_int flag, go, beats;

static void *raises(void *arg)
{
        for (;;) {
                atomic_store(&flag, 1);
                atomic_fetch_add(&beats, 1);
                if (atomic_load(&go))
                        return arg;
                atomic_store(&flag, 0);
        }
}

static void *counts(void *arg)
{
        for (int i = 0; i < 3; i++) {
                while (atomic_load(&flag) != 1)
                        ;
                while (atomic_load(&flag) != 0)
                        ;
        }
        atomic_store(&go, 1);
        return arg;
}

int main(void)
{
        RUN(raises, counts);
        return 0;
}
