/* Two loads of one place never go back in time. */
#include "shape.h"

static shared x;
int r1, r2;

THREAD(writer, W(x, 1); W(x, 2))
THREAD(reader, r1 = R(x); r2 = R(x))

int main(void)
{
        RUN(writer, reader);
}
