/* Write-to-read causality: what was seen by a thread that then stores is seen by a thread that sees that store. */
#include "shape.h"

static shared x, y;
int r1, r2, r3;

THREAD(first, W(x, 1))
THREAD(second, r1 = R(x); W(y, 1))
THREAD(third, r2 = R(y); r3 = R(x))

int main(void)
{
        RUN(first, second, third);
}
