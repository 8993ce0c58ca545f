/* A sequence lock whose reader does not look at the number again. */
#include "bugs.h"

static atomic_int seq;
static atomic_int a, b;

static void *writer(void *arg)
{
        seq++;
        a = 1;
        b = 1;
        seq++;
        return arg;
}

static void *reader(void *arg)
{
        int before = seq, x, y;

        if (before & 1)
                return arg;
        x = a;
        y = b;
#ifdef FIXED
        if (seq != before)
                return arg;
#endif
        assert(x == y);
        return arg;
}

int main(void)
{
        RUN(writer, reader);
        return 0;
}
