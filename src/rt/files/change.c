/* Calls that change names and attributes: unlink, rename, link, mkdir, truncate, chmod and the like. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <utime.h>

#include "rt/files/calls.h"
#include "rt/files/listing.h"
#include "rt/files/names.h"
#include "rt/files/node.h"
#include "rt/rt.h"
#include "rt/notes.h"
#include "rt/sched/end.h"
#include "rt/util.h"

/* A change outside of what can be undone: it is made, and noted. */
static long outside(const struct place *p, long r)
{
        if (r >= 0)
                rt_note_incomplete(REASON_OUTSIDE, p->real);
        return r;
}

/* The place of an existing file whose name or attributes are to be changed. */
static long find(const long *a, bool follow, struct place *p)
{
        long r = file_find(a, follow, p);

        if (r < 0)
                return r;
        return p->absent ? -ENOENT : p->opaque ? -EPERM : 0;
}

/* A place where a name is to be made. */
static long find_free(const long *a, struct place *p)
{
        long r = file_find(a, false, p);

        if (r < 0)
                return r;
        if (p->opaque)
                return -EPERM;
        return p->absent ? file_may_name(p) : -EEXIST;
}

static bool is_dir(const struct place *p)
{
        struct stat st;

        if (p->node >= 0)
                return node_at(p->node)->kind == NODE_DIR;
        return rt_syscall6(SYS_lstat, (long)path_machine(p), (long)&st, 0, 0, 0, 0) == 0 && S_ISDIR(st.st_mode);
}

long file_unlink(const long *a)
{
        static struct place p;
        bool dir = (a[2] & AT_REMOVEDIR) != 0;
        long r = find(a, false, &p);

        if (r == -EPERM && p.opaque)
                return outside(&p, rt_syscall6(SYS_unlinkat, AT_FDCWD, (long)p.real, a[2], 0, 0, 0));
        if (r < 0)
                return r;
        if (is_dir(&p) != dir)
                return dir ? -ENOTDIR : -EISDIR;
        if (dir && (!p.path[0] || !listing_is_empty(&p)))
                return p.path[0] ? -ENOTEMPTY : -EBUSY;
        r = file_may_name(&p);
        if (r == 0)
                names_set(p.path, NAME_GONE);
        return r;
}

static bool is_below(const char *path, const char *dir)
{
        while (*dir && *path == *dir) {
                path++;
                dir++;
        }
        return !*dir && *path == '/';
}

static bool same_path(const char *a, const char *b)
{
        while (*a && *a == *b) {
                a++;
                b++;
        }
        return *a == *b;
}

/* Is what is there already in the way? */
static long may_replace(const struct place *from, const struct place *to, bool dir)
{
        if (to->absent)
                return 0;
        if (is_dir(to) != dir)
                return dir ? -ENOTDIR : -EISDIR;
        if (dir && !same_path(from->path, to->path) && !listing_is_empty(to))
                return -ENOTEMPTY;
        return 0;
}

long file_rename(const long *a)
{
        static struct place from, to;
        const long second[] = {a[2], a[3]};
        bool dir;
        long r = find(a, false, &from);

        if (r < 0)
                return r;
        r = file_find(second, false, &to);
        if (r < 0 || to.opaque)
                return r < 0 ? r : -EXDEV;
        if (a[4] & ~1L /* RENAME_NOREPLACE */)
                return -EINVAL;
        if (a[4] && !to.absent)
                return -EEXIST;
        dir = is_dir(&from);
        if (is_below(to.path, from.path))
                return -EINVAL;
        if ((r = may_replace(&from, &to, dir)) < 0 || (r = file_may_name(&from)) < 0 || (r = file_may_name(&to)) < 0)
                return r;
        r = file_own(&from);
        if (r < 0 || same_path(from.path, to.path) || to.node == from.node)
                return r < 0 ? r : 0;
        names_set(to.path, from.node);
        names_set(from.path, NAME_GONE);
        if (dir)
                names_move(from.path, to.path);
        return 0;
}

/* A descriptor's own path, "/proc/self/fd/N", names a file that may have no other name. */
static int node_outside(const struct place *p)
{
        long fd = rt_syscall6(SYS_openat, AT_FDCWD, (long)p->real, O_PATH | O_CLOEXEC, 0, 0, 0);
        int node = fd < 0 ? -1 : node_of_descriptor((int)fd);

        if (fd >= 0)
                rt_syscall6(SYS_close, fd, 0, 0, 0, 0, 0);
        return node;
}

long file_link(const long *a)
{
        static struct place from, to;
        const long second[] = {a[2], a[3]};
        const char *first = (const char *)a[1];
        long r;
        int node;

        if ((a[4] & AT_EMPTY_PATH) && !*first) {
                node = node_of_descriptor((int)a[0]);
        } else {
                r = file_find(a, (a[4] & AT_SYMLINK_FOLLOW) != 0, &from);
                if (r < 0 || from.absent)
                        return r < 0 ? r : -ENOENT;
                if (!from.opaque && is_dir(&from))
                        return -EPERM;
                node = from.opaque ? node_outside(&from) : file_own(&from);
        }
        if (node < 0)
                return -EXDEV;
        r = find_free(second, &to);
        if (r == 0)
                names_set(to.path, node);
        return r;
}

long file_symlink(const long *a)
{
        static struct place p;
        const char *target = (const char *)a[2];
        long r = find_free(a, &p);

        if (r == 0)
                names_set(p.path, node_new_link(p.path, target));
        return r;
}

long file_mkdir(const long *a)
{
        static struct place p;
        long r = find_free(a, &p);

        if (r == 0)
                names_set(p.path, node_new_dir(p.path, file_masked(a[2])));
        return r;
}

long file_mknod(const long *a)
{
        static struct place p;
        long kind = a[2] & S_IFMT, r;

        r = find_free(a, &p);
        if (r == 0 && kind && kind != S_IFREG)
                exec_end_text(WIRE_END_UNSUPPORTED, 0, "mkfifo or mknod (use pipe)");
        if (r == 0)
                names_set(p.path, node_new_file(p.path, file_masked(a[2])));
        return r;
}

/* The attributes of the file are to be changed: its node. */
static long find_own(const long *a, bool follow, struct place *p)
{
        long r = find(a, follow, p);

        if (r < 0)
                return r;
        r = file_own(p);
        if (r >= 0)
                node_at((int)r)->written = true;
        return r;
}

long file_truncate(const long *a)
{
        static struct place p;
        long node = find(a, true, &p);

        if (node < 0)
                return node;
        if (is_dir(&p))
                return -EISDIR;
        node = find_own(a, true, &p);
        return node < 0 ? node : rt_syscall6(SYS_ftruncate, node_at((int)node)->fd, a[2], 0, 0, 0, 0);
}

static long change_mode(int node, long mode)
{
        struct node *n = node_at(node);

        n->mode = (n->mode & S_IFMT) | ((uint32_t)mode & 07777);
        return n->kind == NODE_FILE ? rt_syscall6(SYS_fchmod, n->fd, mode, 0, 0, 0, 0) : 0;
}

static long change_owner(int node, long uid, long gid)
{
        struct node *n = node_at(node);

        if (n->kind == NODE_FILE)
                return rt_syscall6(SYS_fchown, n->fd, uid, gid, 0, 0, 0);
        n->uid = (int)uid == -1 ? n->uid : (uint32_t)uid;
        n->gid = (int)gid == -1 ? n->gid : (uint32_t)gid;
        return 0;
}

long file_chmod(const long *a)
{
        static struct place p;
        long node = find_own(a, true, &p);

        return node < 0 ? node : change_mode((int)node, a[2]);
}

long file_chown(const long *a)
{
        static struct place p;
        long node = find_own(a, !(a[4] & AT_SYMLINK_NOFOLLOW), &p);

        return node < 0 ? node : change_owner((int)node, a[2], a[3]);
}

/* The node of what is open, whichever name it has. */
static long own_open(int fd)
{
        char link[64];
        static char path[PATH_SIZE];
        static struct place p;
        const long a[] = {AT_FDCWD, (long)path};
        int node = node_of_descriptor(fd);
        long n;

        if (node >= 0)
                return node;
        rt_format(link, sizeof link, "/proc/self/fd/%u", (uint32_t)fd);
        n = rt_syscall6(SYS_readlink, (long)link, (long)path, sizeof path - 1, 0, 0, 0);
        if (n < 0)
                return -EBADF;
        path[n] = 0;
        return path[0] == '/' ? find_own(a, false, &p) : -EPERM;
}

long file_fchmod(const long *a)
{
        long node = own_open((int)a[0]);

        return node == -EPERM ? rt_syscall6(SYS_fchmod, a[0], a[1], 0, 0, 0, 0)
               : node < 0     ? node
                              : change_mode((int)node, a[1]);
}

long file_fchown(const long *a)
{
        long node = own_open((int)a[0]);

        return node == -EPERM ? rt_syscall6(SYS_fchown, a[0], a[1], a[2], 0, 0, 0)
               : node < 0     ? node
                              : change_owner((int)node, a[1], a[2]);
}

/* The time of change that the call gives, in seconds; INT64_MIN: it stays. */
static int64_t time_given(const void *times, long form)
{
        const struct utimbuf *old = times;
        const struct timeval *v = times;
        const struct timespec *ts = times;

        if (!times)
                return node_time();
        if (form == 0)
                return old->modtime;
        if (form == 1)
                return v[1].tv_sec;
        return ts[1].tv_nsec == UTIME_OMIT ? INT64_MIN : ts[1].tv_nsec == UTIME_NOW ? node_time() : ts[1].tv_sec;
}

/* a[3]: utime, utimes or utimensat; a[4]: flags of the last. */
long file_utime(const long *a)
{
        static struct place p;
        int64_t to = time_given((const void *)a[2], a[3]);
        struct timespec times[2];
        long node = a[1] ? find_own(a, !(a[4] & AT_SYMLINK_NOFOLLOW), &p) : own_open((int)a[0]);

        if (node < 0 || to == INT64_MIN)
                return node < 0 ? node : 0;
        node_at((int)node)->mtime = to;
        if (node_at((int)node)->kind != NODE_FILE)
                return 0;
        times[0] = times[1] = (struct timespec){.tv_sec = to};
        return rt_syscall6(SYS_utimensat, node_at((int)node)->fd, 0, (long)times, 0, 0, 0);
}

/* Extended attributes are not kept. */
long file_xattr(const long *a)
{
        (void)a;
        return -EOPNOTSUPP;
}
