/* Pipes: one holds data when the threads begin, one is made by a thread. */
#include "restore.h"

#include <unistd.h>

static int before[2];

static void odd(long n)
{
        int mine[2];
        char c = 0;

        if (n == 0) {
                assert(read(before[0], &c, 1) == 1 && c == 'a');
        } else {
                assert(write(before[1], "xyz", 3) == 3);
                assert(pipe(mine) == 0 && mine[0] < 9);
                assert(write(mine[1], "q", 1) == 1 && read(mine[0], &c, 1) == 1 && c == 'q');
        }
}

int main(void)
{
        char rest[8];

        assert(pipe(before) == 0 && write(before[1], "ab", 2) == 2);
        restore_run();
        assert(read(before[0], rest, sizeof rest) == 4 && !memcmp(rest, "bxyz", 4));
        assert(write(before[1], "left over", 9) == 9);
        return 0;
}
