/* Blocks that grow, shrink, move, are aligned, and are leaked; guard pages in the heap. */
#include "restore.h"

#include <malloc.h>
#include <sys/mman.h>

static char *before;

static void odd(long n)
{
        char *p = NULL;
        void *aligned;

        for (size_t size = 1; size < 300000; size = size * 3 + 1) {
                p = realloc(p, size);
                assert(p && malloc_usable_size(p) >= size);
                p[size - 1] = (char)size;
        }
        p = realloc(p, 10);
        if (n == 0)
                free(p);
        assert(posix_memalign(&aligned, 4096, 8192) == 0);
        memset(aligned, 1, 8192);
        assert(mprotect((char *)aligned + 4096, 4096, PROT_NONE) == 0);
        if (n == 1) {
                free(before);
                before = calloc(1000, 3);
                assert(before[2999] == 0);
        }
}

int main(void)
{
        before = malloc(1000);
        strcpy(before, "as it was");
        restore_run();
        return 0;
}
