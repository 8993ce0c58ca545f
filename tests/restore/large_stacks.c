/* Deep stacks: in the threads, and in main after them. */
#include "restore.h"

#include <alloca.h>

static int depth(int n)
{
        volatile char frame[4096];

        frame[0] = (char)n;
        frame[4095] = 1;
        return n ? depth(n - 1) + frame[4095] : frame[0];
}

static void odd(long n)
{
        char *p = alloca(200000);

        memset(p, (int)n, 200000);
        assert(depth(100) == 100 && p[199999] == n);
}

int main(void)
{
        char *p = alloca(100000);

        memset(p, 3, 100000);
        restore_run();
        for (int i = 0; i < 100000; i += 1000)
                assert(p[i] == 3);
        memset(p, 4, 100000);
        assert(depth(400) == 400);
        return 0;
}
