/*
 * Preloaded into heddle: the NTH allocation of the process fails, and at its end COUNT is the name of a file that gets their
 * number.  Other programs that inherit it are left alone.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t n);
extern void *__libc_memalign(size_t alignment, size_t n);

static unsigned long count, nth;
static int state; /* 1: this is heddle, 2: it is not */

static void begin(void)
{
        char path[4096];
        ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
        const char *text = getenv("NTH");

        state = n > 7 && !memcmp(&path[n - 7], "/heddle", 7) ? 1 : 2;
        nth = text ? strtoul(text, NULL, 10) : 0;
}

static int fails(void)
{
        if (!state)
                begin();
        if (state == 1 && ++count == nth) {
                errno = ENOMEM;
                return 1;
        }
        return 0;
}

__attribute__((destructor)) static void end(void)
{
        const char *file = getenv("COUNT");
        int fd = state == 1 && file ? open(file, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;

        if (fd >= 0) {
                dprintf(fd, "%lu\n", count);
                close(fd);
        }
}

void *malloc(size_t n)
{
        return fails() ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
        return fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
        return fails() ? NULL : __libc_realloc(p, n);
}

int posix_memalign(void **p, size_t alignment, size_t n)
{
        *p = fails() ? NULL : __libc_memalign(alignment, n);
        return *p ? 0 : ENOMEM;
}
