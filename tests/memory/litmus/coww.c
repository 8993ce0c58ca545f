/* Two stores of one place stay in order. */
#include "shape.h"

shared x;

THREAD(writer, W(x, 1); W(x, 2))
THREAD(other, W(x, 3))

int main(void)
{
        RUN(writer, other);
}
