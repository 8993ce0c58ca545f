/* Two stores in one step against two loads in one step. */
#include <heddle/heddle.h>

#include "../litmus.h"

static int x, y;
int r1, r2;

static void *writer(void *arg)
{
        heddle_atomic_begin();
        x = 1;
        y = 1;
        heddle_atomic_end();
        return NULL;
}

static void *reader(void *arg)
{
        heddle_atomic_begin();
        r1 = x;
        r2 = y;
        heddle_atomic_end();
        return NULL;
}

int main(void)
{
        RUN(writer, reader);
        return 0;
}
