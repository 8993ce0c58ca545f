/* R: two stores, against a store of the second one's place and a load of the first one's. */
#include "shape.h"

shared x, y;
int r1;

THREAD(left, W(x, 1); FENCE1; W(y, 1))
THREAD(right, W(y, 2); FENCE2; r1 = R(x))

int main(void)
{
        RUN(left, right);
}
