/* Load buffering. */
#include "shape.h"

static shared x, y;
int r1, r2;

THREAD(left, r1 = R(x); W(y, 1))
THREAD(right, r2 = R(y); W(x, 1))

int main(void)
{
        RUN(left, right);
}
