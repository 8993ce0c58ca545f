/* A load sees its thread's own store, or a later one. */
#include "shape.h"

shared x;
int r1;

THREAD(left, W(x, 1); r1 = R(x))
THREAD(right, W(x, 2))

int main(void)
{
        RUN(left, right);
}
