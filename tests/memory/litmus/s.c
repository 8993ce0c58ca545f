/* S: two stores, against a load of the second one's place and a store of the first one's. */
#include "shape.h"

shared x, y;
int r1;

THREAD(left, W(x, 2); FENCE1; W(y, 1))
THREAD(right, r1 = R(y); FENCE2; W(x, 1))

int main(void)
{
        RUN(left, right);
}
