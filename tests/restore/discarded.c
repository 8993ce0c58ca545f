/* The contents of data that was there before the first thread are discarded: it is zero afterwards. */
#include "restore.h"

#include <sys/mman.h>

static char large[1 << 20] __attribute__((aligned(4096)));

static void odd(long n)
{
        if (n == 0) {
                assert(large[5000] == 1);
                madvise(large, sizeof large, MADV_DONTNEED);
                assert(large[5000] == 0);
        }
}

int main(void)
{
        memset(large, 1, sizeof large);
        restore_run();
        return 0;
}
