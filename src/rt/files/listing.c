/*
 * See listing.h.
 *
 * An open directory is a memfd that holds the records of getdents64 as they were when it was opened; the position of the
 * descriptor is that of the reader.
 */
#include "rt/files/listing.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "rt/files/names.h"
#include "rt/files/node.h"
#include "rt/files/path.h"
#include "rt/util.h"

#define BLOCK (1u << 15)

struct record {
        uint64_t inode;
        int64_t offset;
        uint16_t size;
        uint8_t type;
        char name[];
};

/* What is done with each entry. */
struct reader {
        const char *dir;
        int fd; /* the records go here, -1: they are only counted */
        int64_t offset;
        unsigned count;
};

static unsigned length(const char *s)
{
        unsigned n = 0;

        while (s[n])
                n++;
        return n;
}

static bool is_dots(const char *name)
{
        return name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2]));
}

static void add(struct reader *r, const char *name, uint64_t inode, uint8_t type)
{
        uint64_t space[(sizeof(struct record) + 264) / 8];
        struct record *e = (struct record *)space;
        unsigned n = length(name), size = (unsigned)(__builtin_offsetof(struct record, name) + n + 1 + 7) & ~7u;

        if (size > sizeof space)
                return;
        if (!is_dots(name))
                r->count++;
        if (r->fd < 0)
                return;
        rt_zero(space, size);
        r->offset += size;
        *e = (struct record){.inode = inode, .offset = r->offset, .size = (uint16_t)size, .type = type};
        rt_copy(e->name, name, n);
        rt_syscall6(SYS_write, r->fd, (long)e, size, 0, 0, 0);
}

static void add_named(void *arg, const char *last, int node)
{
        static const uint8_t types[] = {[NODE_FILE] = 8, [NODE_DIR] = 4, [NODE_LINK] = 10};

        if (node >= 0)
                add(arg, last, node_at(node)->ino, types[node_at(node)->kind]);
}

/* The machine's names that the table does not have. */
static void add_real(struct reader *r, const char *real)
{
        static uint64_t block[BLOCK / 8];
        static char path[PATH_SIZE + 300];
        long fd = rt_syscall6(SYS_openat, AT_FDCWD, (long)(*real ? real : "/"), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0,
                              0, 0);
        long n;
        int node;

        if (fd < 0)
                return;
        while ((n = rt_syscall6(SYS_getdents64, fd, (long)block, BLOCK, 0, 0, 0)) > 0)
                for (long at = 0; at < n;) {
                        const struct record *e = (const void *)((const char *)block + at);

                        at += e->size;
                        rt_format(path, sizeof path, "%s/%s", r->dir, e->name);
                        if (is_dots(e->name) || !names_find(path, &node))
                                add(r, e->name, e->inode, e->type);
                }
        rt_syscall6(SYS_close, fd, 0, 0, 0, 0, 0);
}

static void read_all(struct reader *r, const struct place *p)
{
        if (p->real[0] || !p->path[0]) {
                add_real(r, p->real);
        } else {
                add(r, ".", 1, 4);
                add(r, "..", 1, 4);
        }
        names_each_in(p->path, add_named, r);
}

bool listing_is_empty(const struct place *p)
{
        struct reader r = {.dir = p->path, .fd = -1};

        read_all(&r, p);
        return !r.count;
}

static void note(void *arg, const char *last, int node)
{
        (void)last;
        (void)node;
        *(bool *)arg = true;
}

bool listing_differs(const struct place *p)
{
        bool differs = p->node >= 0;

        names_each_in(p->path, note, &differs);
        return differs;
}

long listing_open(const struct place *p, long flags)
{
        struct reader r = {.dir = p->path};
        struct stat st;
        int i = p->node >= 0 ? p->node : node_copy(path_machine(p));

        if (i < 0)
                return i;
        r.fd = (int)rt_syscall6(SYS_memfd_create, (long)"heddle", flags & O_CLOEXEC ? 1 : 0, 0, 0, 0, 0);
        if (r.fd < 0)
                return r.fd;
        read_all(&r, p);
        rt_syscall6(SYS_lseek, r.fd, 0, 0, 0, 0, 0);
        rt_syscall6(SYS_fstat, r.fd, (long)&st, 0, 0, 0, 0);
        node_open_dir(i, st.st_dev, st.st_ino, p->path);
        return r.fd;
}

long listing_read(int fd, void *buffer, unsigned long size)
{
        long at = rt_syscall6(SYS_lseek, fd, 0, 1 /* SEEK_CUR */, 0, 0, 0), n, whole = 0;

        n = rt_syscall6(SYS_pread64, fd, (long)buffer, (long)size, at, 0, 0);
        if (n <= 0)
                return n;
        while (whole + (long)sizeof(struct record) <= n) {
                const struct record *e = (const void *)((const char *)buffer + whole);

                if (whole + e->size > n)
                        break;
                whole += e->size;
        }
        rt_syscall6(SYS_lseek, fd, at + whole, 0, 0, 0, 0);
        return whole ? whole : -EINVAL;
}
