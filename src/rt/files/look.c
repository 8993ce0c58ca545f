/* What the program asks of files: stat, access, readlink, names in directories, the working directory. */
#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rt/files/calls.h"
#include "rt/files/listing.h"
#include "rt/files/names.h"
#include "rt/files/node.h"
#include "rt/util.h"
#include "rt/world/kernel.h"

/* A question about a descriptor itself. */
static bool is_empty(const char *path)
{
        return !path || (rt_syscall6(SYS_access, (long)path, F_OK, 0, 0, 0, 0) != -EFAULT && !*path);
}

long file_fstat(const long *a)
{
        int node = node_of_descriptor((int)a[0]);
        struct stat st;

        if (node < 0)
                return rt_syscall6(SYS_fstat, a[0], a[1], 0, 0, 0, 0);
        node_stat(node, &st);
        rt_copy((void *)a[1], &st, sizeof st);
        return 0;
}

long file_stat(const long *a)
{
        static struct place p;
        const long of_fd[] = {a[0], a[2]};
        struct stat st;
        long r;

        if ((a[3] & AT_EMPTY_PATH) && is_empty((const char *)a[1])) {
                if ((int)a[0] != AT_FDCWD)
                        return file_fstat(of_fd);
                return rt_syscall6(SYS_newfstatat, a[0], a[1], a[2], a[3], 0, 0);
        }
        r = file_find(a, !(a[3] & AT_SYMLINK_NOFOLLOW), &p);
        if (r < 0 || p.absent)
                return r < 0 ? r : -ENOENT;
        if (p.node < 0)
                return rt_syscall6(SYS_newfstatat, AT_FDCWD, (long)path_machine(&p), a[2],
                                   p.opaque ? a[3] : a[3] | AT_SYMLINK_NOFOLLOW, 0, 0);
        node_stat(p.node, &st);
        rt_copy((void *)a[2], &st, sizeof st);
        return 0;
}

static struct statx_timestamp stamp(const struct timespec *t)
{
        return (struct statx_timestamp){.tv_sec = t->tv_sec, .tv_nsec = (uint32_t)t->tv_nsec};
}

static void fill_statx(int node, struct statx *x)
{
        struct stat st;

        node_stat(node, &st);
        rt_zero(x, sizeof *x);
        x->stx_mask = STATX_BASIC_STATS;
        x->stx_blksize = (uint32_t)st.st_blksize;
        x->stx_nlink = (uint32_t)st.st_nlink;
        x->stx_uid = st.st_uid;
        x->stx_gid = st.st_gid;
        x->stx_mode = (uint16_t)st.st_mode;
        x->stx_ino = st.st_ino;
        x->stx_size = (uint64_t)st.st_size;
        x->stx_blocks = (uint64_t)st.st_blocks;
        x->stx_dev_minor = (uint32_t)st.st_dev;
        x->stx_atime = stamp(&st.st_atim);
        x->stx_mtime = stamp(&st.st_mtim);
        x->stx_ctime = stamp(&st.st_ctim);
}

long file_statx(const long *a)
{
        static struct place p;
        long r;
        int node;

        if ((a[2] & AT_EMPTY_PATH) && is_empty((const char *)a[1])) {
                node = node_of_descriptor((int)a[0]);
                if (node < 0)
                        return rt_syscall6(SYS_statx, a[0], a[1], a[2], a[3], a[4], 0);
                fill_statx(node, (struct statx *)a[4]);
                return 0;
        }
        r = file_find(a, !(a[2] & AT_SYMLINK_NOFOLLOW), &p);
        if (r < 0 || p.absent)
                return r < 0 ? r : -ENOENT;
        if (p.node < 0)
                return rt_syscall6(SYS_statx, AT_FDCWD, (long)path_machine(&p),
                                   p.opaque ? a[2] : a[2] | AT_SYMLINK_NOFOLLOW, a[3], a[4], 0);
        fill_statx(p.node, (struct statx *)a[4]);
        return 0;
}

/* Of the machine's directory that the place is in. */
long file_statfs(const long *a)
{
        static struct place p, parent;
        long r = file_find(a, true, &p);

        if (r < 0 || p.absent)
                return r < 0 ? r : -ENOENT;
        if (p.node >= 0 && !p.real[0]) {
                parent = p;
                do {
                        path_parent(&parent, &p);
                        parent = p;
                } while (!p.real[0] && p.path[0]);
        }
        return rt_syscall6(SYS_statfs, (long)path_machine(&p), a[2], 0, 0, 0, 0);
}

long file_access(const long *a)
{
        static struct place p;
        char of_node[64];
        long r = file_find(a, !(a[3] & AT_SYMLINK_NOFOLLOW), &p);

        if (r < 0 || p.absent)
                return r < 0 ? r : -ENOENT;
        if (p.node < 0)
                return rt_syscall6(SYS_faccessat2, AT_FDCWD, (long)path_machine(&p), a[2], a[3], 0, 0);
        if (node_at(p.node)->kind != NODE_FILE)
                return 0;
        rt_format(of_node, sizeof of_node, "/proc/self/fd/%u", (uint32_t)node_at(p.node)->fd);
        return rt_syscall6(SYS_faccessat, AT_FDCWD, (long)of_node, a[2], 0, 0, 0);
}

long file_readlink(const long *a)
{
        static struct place p;
        const char *target;
        long n = 0, r = file_find(a, false, &p);

        if (r < 0 || p.absent)
                return r < 0 ? r : -ENOENT;
        if (p.node < 0)
                return rt_syscall6(SYS_readlink, (long)path_machine(&p), a[2], a[3], 0, 0, 0);
        if (node_at(p.node)->kind != NODE_LINK)
                return -EINVAL;
        target = names_text_at(node_at(p.node)->text);
        while (n < a[3] && target[n])
                n++;
        rt_copy((void *)a[2], target, (size_t)n);
        return n;
}

/* a[3]: is it getdents64? */
long file_getdents(const long *a)
{
        int node = node_of_descriptor((int)a[0]);

        if (node < 0)
                return rt_syscall6(a[3] ? SYS_getdents64 : SYS_getdents, a[0], a[1], a[2], 0, 0, 0);
        if (node_at(node)->kind != NODE_DIR || !a[3])
                return a[3] ? -ENOTDIR : -ENOSYS;
        return listing_read((int)a[0], (void *)a[1], (unsigned long)a[2]);
}

long file_getcwd(const long *a)
{
        const char *path = path_directory();
        long n = 0;

        if (!path)
                return rt_syscall6(SYS_getcwd, a[0], a[1], 0, 0, 0, 0);
        while (path[n])
                n++;
        if (n + 1 > a[1])
                return -ERANGE;
        rt_copy((void *)a[0], path, (size_t)n + 1);
        return n + 1;
}

static long change_directory(const char *path)
{
        const long a[] = {(long)path};

        return kernel_chdir(SYS_chdir, a);
}

/* The kernel goes along where it has the same directory. */
static long go_to(const struct place *p)
{
        const char *path = path_machine(p);
        unsigned i = 0;
        long r;

        while (p->path[i] && p->path[i] == p->real[i])
                i++;
        if (!p->path[i] && !p->real[i]) {
                r = change_directory(path);
                if (r == 0)
                        path_set_directory(NULL);
                return r;
        }
        path_set_directory(p->path);
        return 0;
}

long file_chdir(const long *a)
{
        static struct place p;
        long r = file_find(a, true, &p);

        if (r < 0 || p.absent)
                return r < 0 ? r : -ENOENT;
        if (p.opaque)
                return change_directory(p.real);
        if (p.node >= 0 && node_at(p.node)->kind != NODE_DIR)
                return -ENOTDIR;
        return go_to(&p);
}

long file_fchdir(const long *a)
{
        int node = node_of_descriptor((int)a[0]);
        long r;

        if (node < 0) {
                r = kernel_chdir(SYS_fchdir, a);
                if (r == 0)
                        path_set_directory(NULL);
                return r;
        }
        if (node_at(node)->kind != NODE_DIR)
                return -ENOTDIR;
        path_set_directory(names_text_at(node_at(node)->path));
        return 0;
}
