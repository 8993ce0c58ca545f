/* Memory that a child would share, and there is none: it is put back like any other. */
#include "restore.h"

#include <sys/mman.h>

static int *p;

static void odd(long n)
{
        if (n == 0)
                assert(p[0]++ == 1);
}

int main(void)
{
        p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

        p[0] = 1;
        restore_run();
        return 0;
}
