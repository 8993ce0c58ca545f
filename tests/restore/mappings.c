/* Memory mapped by threads: kept, unmapped in part, grown, protected, and mapped from a file. */
#include "restore.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static char *kept[THREADS];

static void odd(long n)
{
        char *p = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *file;
        int fd;

        assert(p != MAP_FAILED && !p[0] && !p[65535]);
        assert(!kept[n] || kept[n] == p);
        p[0] = p[65535] = 1;
        kept[n] = p;
        assert(munmap(p + 4096, 4096) == 0 && mprotect(p + 8192, 4096, PROT_READ) == 0);
        if (n == 0) {
                p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
                p[100] = 7;
                p = mremap(p, 4096, 40960, MREMAP_MAYMOVE);
                assert(p != MAP_FAILED && p[100] == 7 && !p[40959]);
                return;
        }
        fd = open("/etc/passwd", O_RDONLY);
        file = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
        assert(file != MAP_FAILED && file[0]);
        file = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        assert(file != MAP_FAILED && file[0] == 0);
        file[0] = 1;
}

int main(void)
{
        restore_run();
        assert(kept[0][0] == 1 && kept[1][65535] == 1);
        return 0;
}
