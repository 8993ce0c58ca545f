/* Four megabytes of zeroes, written to all over. */
#include "restore.h"

static char zeroes[4 << 20];
static int filled[1 << 16] = {1, 2, 3};

static void odd(long n)
{
        if (n == 0) {
                assert(zeroes[123456] == 0 && filled[2] == 3);
                memset(zeroes, 0x5a, sizeof zeroes);
        } else {
                filled[60000] = 9;
        }
}

int main(void)
{
        restore_run();
        filled[2] = 0;
        return 0;
}
