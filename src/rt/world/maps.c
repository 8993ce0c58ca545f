/*
 * /proc/self/maps, read without libc.  The list is taken whole before anything is done with it, because what is done
 * may change it.
 */
#include "rt/world/maps.h"

#include <fcntl.h>
#include <sys/syscall.h>

#include "rt/fault.h"
#include "rt/util.h"

static char text[512 << 10];

static const char *hex(const char *p, uintptr_t *v)
{
        for (*v = 0;; p++) {
                if (*p >= '0' && *p <= '9')
                        *v = *v << 4 | (uintptr_t)(*p - '0');
                else if (*p >= 'a' && *p <= 'f')
                        *v = *v << 4 | (uintptr_t)(*p - 'a' + 10);
                else
                        return p;
        }
}

/* "7ffff7dc0000-7ffff7de6000 r--p 00000000 fe:00 1234    /usr/lib/..." */
static const char *line(const char *p, struct mapping *m)
{
        uintptr_t offset;

        p = hex(p, &m->lo);
        p = hex(p + 1, &m->hi);
        m->read = p[1] == 'r';
        m->write = p[2] == 'w';
        m->exec = p[3] == 'x';
        m->shared = p[4] == 's';
        p = hex(p + 6, &offset);
        m->file = 0;
        for (int spaces = 0; *p && *p != '\n'; p++) {
                spaces += *p == ' ';
                if (spaces == 3)
                        break;
                m->file = (m->file ^ (unsigned char)*p) * UINT64_C(0x100000001b3);
        }
        while (*p == ' ')
                p++;
        m->name = p;
        while (*p && *p++ != '\n')
                ;
        return p;
}

void maps_each(void (*f)(void *arg, const struct mapping *m), void *arg)
{
        struct mapping m;
        size_t n = 0;
        long r, fd = rt_syscall6(SYS_openat, AT_FDCWD, (long)"/proc/self/maps", O_RDONLY | O_CLOEXEC, 0, 0, 0);

        if (fd < 0)
                rt_fault("cannot read /proc/self/maps");
        while (n < sizeof text - 1 &&
               (r = rt_syscall6(SYS_read, fd, (long)(text + n), (long)(sizeof text - 1 - n), 0, 0, 0)) > 0)
                n += (size_t)r;
        rt_syscall6(SYS_close, fd, 0, 0, 0, 0, 0);
        if (n == sizeof text - 1)
                rt_fault("the program has too many mappings");
        text[n] = 0;
        for (const char *p = text; *p;) {
                p = line(p, &m);
                f(arg, &m);
        }
}
