/* A region is copied without its holes, and whole where the descriptor does not say where they are. */
#include "target/region.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define SIZE ((size_t)1 << 20)

static char *map(int fd)
{
        char *p = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

        assert(p != MAP_FAILED);
        return p;
}

static long blocks(int fd)
{
        struct stat st;

        assert(fstat(fd, &st) == 0);
        return (long)st.st_blocks;
}

static bool written; /* the region that is copied */

static char expected(size_t i)
{
        return !written ? 0 : i == 0 ? 1 : i == SIZE / 2 + 5 ? 2 : i == SIZE - 1 ? 3 : 0;
}

/* Copies n bytes by that descriptor: what it takes, in blocks of a file.  A hole that is read is none any more, so `from` is not. */
static long copied(const char *from, size_t n, int fd)
{
        int to_fd = region_create("to", SIZE);
        char *to = map(to_fd);
        long taken;

        region_copy(to, from, n, fd);
        taken = blocks(to_fd);
        for (size_t i = 0; i < SIZE; i++)
                assert(to[i] == (i < n ? expected(i) : 0));
        munmap(to, SIZE);
        close(to_fd);
        return taken;
}

int main(void)
{
        int fd = region_create("from", SIZE);
        char *from = map(fd);

        assert(copied(from, SIZE, fd) == 0);
        written = true;
        from[0] = 1;
        from[SIZE / 2 + 5] = 2;
        from[SIZE - 1] = 3;
        long used = blocks(fd);

        assert(used < (long)(SIZE / 512 / 8));
        assert(copied(from, SIZE, fd) <= used);
        assert(copied(from, SIZE / 2 + 6, fd) < used); /* the end is in the middle of a page */
        assert(copied(from, SIZE / 2 + 5, fd) < used);
        assert(copied(from, 1, fd) > 0);
        assert(copied(from, SIZE, -1) == (long)(SIZE / 512));
        return 0;
}
