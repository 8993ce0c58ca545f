/* Writable memory that other processes may see: refused. */
#include "restore.h"

#include <sys/mman.h>

static void odd(long n)
{
        (void)n;
}

int main(void)
{
        int *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

        p[0] = 1;
        restore_run();
        return 0;
}
