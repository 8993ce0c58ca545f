/* A load does not see a store that comes after its thread's next store of the same place. */
#include "shape.h"

shared x;
int r1;

THREAD(left, r1 = R(x); W(x, 1))
THREAD(right, W(x, 2))

int main(void)
{
        RUN(left, right);
}
