/* A round with two loads of one object, either of which may end the loop: the thread does not wait at the second one. */
#include <stdatomic.h>

#include "../litmus.h"

atomic_int state;
int left;

static void *waits(void *arg)
{
        for (;;) {
                if (atomic_load(&state) == 1) {
                        left = 1;
                        break;
                }
                if (atomic_load(&state) == 2) {
                        left = 2;
                        break;
                }
        }
        return arg;
}

static void *one(void *arg)
{
        atomic_store(&state, 1);
        return arg;
}

int main(void)
{
        RUN(waits, one);
        return 0;
}
