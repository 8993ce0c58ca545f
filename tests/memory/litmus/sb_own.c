/* Store buffering in which each thread first sees its own store. */
#include "shape.h"

static shared x, y;
int r1, r2, r3, r4;

THREAD(left, W(x, 1); r1 = R(x); r2 = R(y))
THREAD(right, W(y, 1); r3 = R(y); r4 = R(x))

int main(void)
{
        RUN(left, right);
}
