/* A thread unmaps what main mapped: the snapshot cannot put it back, so each execution gets a process. */
#include "restore.h"

#include <sys/mman.h>

static char *old;

static void odd(long n)
{
        if (n == 0)
                return;
        assert(old[5] == 5);
        assert(munmap(old, 8192) == 0);
}

int main(void)
{
        old = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        old[5] = 5;
        restore_run();
        return 0;
}
