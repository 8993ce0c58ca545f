/* An atomic store that waits in the buffer is a preemption point where atomics are: what comes after it is a block of its own. */
#include "shape.h"

atomic_int x;
static atomic_int y;
static volatile int z;
int r1, r2;

THREAD(left, r1 = atomic_load(&y); W(x, 1); r2 = z)
THREAD(right, z = 1; atomic_store(&y, 1); z = 2)

int main(void)
{
        RUN(left, right);
}
