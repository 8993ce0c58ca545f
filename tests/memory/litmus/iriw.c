/* Independent reads of independent writes: two readers must not see the writes in different orders. */
#include "shape.h"

static shared x, y;
int r1, r2, r3, r4;

THREAD(w1, W(x, 1))
THREAD(w2, W(y, 1))
THREAD(left, r1 = R(x); FENCE1; r2 = R(y))
THREAD(right, r3 = R(y); FENCE1; r4 = R(x))

int main(void)
{
        RUN(w1, w2, left, right);
}
