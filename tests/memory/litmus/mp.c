/* Message passing: the flag must not be seen before the data. */
#include "shape.h"

static shared x, y;
int r1, r2;

THREAD(writer, W(x, 1); FENCE1; W(y, 1))
THREAD(reader, r1 = R(y); FENCE2; r2 = R(x))

int main(void)
{
        RUN(writer, reader);
}
