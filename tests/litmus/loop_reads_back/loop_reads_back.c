/* Rounds read back what they have written, and restore it: no other thread ends them. */
#include <stdatomic.h>

#include "../litmus.h"

atomic_int place, seen, done;

static void *loops(void *arg)
{
        while (!atomic_load(&done)) {
                atomic_store(&place, 1);
                if (atomic_load(&place) != 1)
                        break;
                atomic_store(&place, 2);
                if (atomic_load(&place) != 2)
                        break;
                atomic_store(&place, 0);
        }
        return arg;
}

static void *looks(void *arg)
{
        if (atomic_load(&place) == 1)
                atomic_store(&done, 1);
        return arg;
}

int main(void)
{
        RUN(loops, looks);
        return 0;
}
