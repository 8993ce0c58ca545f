/* A round with two loads of one object, either of which may end the loop: the thread waits at none of them.  The first round has a
 * state of its own at the first load, so that rounds from the second load on are seen. */
#include <stdatomic.h>

#include "../litmus.h"

atomic_int state;
int left;

static void *waits(void *arg)
{
        int first = 10;

        for (;;) {
                if (atomic_load(&state) == 1) {
                        left = 1 + first;
                        break;
                }
                first = 0;
                if (atomic_load(&state) == 2) {
                        left = 2;
                        break;
                }
        }
        return arg;
}

static void *ends(void *arg)
{
        atomic_store(&state, 2);
        return arg;
}

int main(void)
{
        RUN(waits, ends);
        return 0;
}
