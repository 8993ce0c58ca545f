/* A reference count that is read and written in two steps: freed twice, or never. */
#include "bugs.h"

static atomic_int refs = 2;
static int freed;

static void *put(void *arg)
{
#ifdef FIXED
        if (atomic_fetch_sub(&refs, 1) == 1)
                freed++;
#else
        int r = refs - 1;
        refs = r;
        if (r == 0)
                freed++;
#endif
        return arg;
}

int main(void)
{
        RUN(put, put);
        assert(freed == 1);
        return 0;
}
