/*
 * Figure 3.9 of the thesis on MCR (Huang, 2019): a point is written, z says that it is there; N rounds of both threads.
 * The test of line 8 is the error; line 9, which prints x and y again, is omitted.
 *
 *     -DGO_ON   errors are counted, so that every execution is run to its end
 */
#include <assert.h>

#include "../../litmus/litmus.h"

#ifndef N
#define N 1
#endif

#ifdef GO_ON
#define CHECK(c) (wrong += !(c))
#else
#define CHECK(c) assert(c)
#endif

static volatile int x, y, z;
int wrong;

static void *writer(void *arg)
{
        for (int i = 0; i < N; i++) {
                z = 0;
                x = 0;
                y = 0;
                x = 2;
                y = 3;
                z = 1;
        }
        return arg;
}

static void *reader(void *arg)
{
        for (int i = 0; i < N; i++)
                if (z == 1)
                        CHECK(x + 1 == y);
        return arg;
}

int main(void)
{
        RUN(writer, reader);
}
