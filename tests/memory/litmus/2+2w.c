/* Two stores each, in opposite order. */
#include "shape.h"

shared x, y;

THREAD(left, W(x, 1); FENCE1; W(y, 2))
THREAD(right, W(y, 1); FENCE2; W(x, 2))

int main(void)
{
        RUN(left, right);
}
