/* Store buffering. */
#include "shape.h"

static shared x, y;
int r1, r2;

THREAD(left, W(x, 1); FENCE1; r1 = R(y))
THREAD(right, W(y, 1); FENCE2; r2 = R(x))

int main(void)
{
        RUN(left, right);
}
