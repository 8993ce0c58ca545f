/*
 * Opening files.
 *
 * A file that is opened for writing becomes the program's own: from then on all its names and descriptors stand for the copy.
 * Devices and the like are opened as they are; that what is written there is not undone is noted.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "rt/files/calls.h"
#include "rt/files/listing.h"
#include "rt/files/names.h"
#include "rt/files/node.h"
#include "rt/io/descriptor.h"
#include "rt/notes.h"
#include "rt/util.h"

#define MOST_SAME 64u

/* Descriptors that stand for the machine's file. */
struct same {
        uint64_t dev, ino;
        int fd[MOST_SAME];
        unsigned n;
};

static void find_same(void *arg, int fd)
{
        struct same *s = arg;
        struct stat st;

        if (s->n < MOST_SAME && rt_syscall6(SYS_fstat, fd, (long)&st, 0, 0, 0, 0) == 0 && st.st_dev == s->dev &&
            st.st_ino == s->ino)
                s->fd[s->n++] = fd;
}

static bool one_open_file(int a, int b)
{
        long pid = rt_syscall6(SYS_getpid, 0, 0, 0, 0, 0, 0);

        return rt_syscall6(SYS_kcmp, pid, pid, 0 /* KCMP_FILE */, a, b, 0) == 0;
}

static void replace(int fd, int by)
{
        long flags = rt_syscall6(SYS_fcntl, fd, F_GETFD, 0, 0, 0, 0);

        descriptor_change(fd);
        rt_syscall6(SYS_dup3, by, fd, flags & FD_CLOEXEC ? O_CLOEXEC : 0, 0, 0, 0);
}

/* Descriptors that were opened for reading before stand for the copy, too. */
static void redirect(int node)
{
        static struct same s;
        bool first[MOST_SAME];
        unsigned leader[MOST_SAME];

        s = (struct same){.dev = node_at(node)->dev, .ino = node_at(node)->ino};
        descriptor_each(find_same, &s);
        for (unsigned i = 0; i < s.n; i++) {
                leader[i] = 0;
                while (leader[i] < i && !one_open_file(s.fd[leader[i]], s.fd[i]))
                        leader[i]++;
                first[i] = leader[i] == i;
        }
        for (unsigned i = 0; i < s.n; i++) {
                long flags, at, fd;

                if (!first[i]) {
                        replace(s.fd[i], s.fd[leader[i]]);
                        continue;
                }
                flags = rt_syscall6(SYS_fcntl, s.fd[i], F_GETFL, 0, 0, 0, 0);
                at = rt_syscall6(SYS_lseek, s.fd[i], 0, 1 /* SEEK_CUR */, 0, 0, 0);
                fd = node_open(node, flags & ~O_TRUNC);
                rt_syscall6(SYS_lseek, fd, at, 0, 0, 0, 0);
                replace(s.fd[i], (int)fd);
                rt_syscall6(SYS_close, fd, 0, 0, 0, 0, 0);
        }
}

int file_own(struct place *p)
{
        if (p->node >= 0)
                return p->node;
        p->node = node_copy(path_machine(p));
        if (p->node < 0)
                return p->node;
        names_set(p->path, p->node);
        if (node_at(p->node)->kind == NODE_FILE)
                redirect(p->node);
        return p->node;
}

long file_find(const long *a, bool follow, struct place *p)
{
        long r = path_resolve((int)a[0], (const char *)a[1], follow, p);
        struct stat st;
        int node;

        if (r < 0 || p->opaque || p->absent || p->node >= 0 || !node_count())
                return r;
        if (rt_syscall6(SYS_lstat, (long)path_machine(p), (long)&st, 0, 0, 0, 0) != 0 || st.st_nlink < 2)
                return r;
        node = node_of_real(st.st_dev, st.st_ino);
        if (node >= 0) {
                names_set(p->path, node);
                p->node = node;
        }
        return r;
}

long file_may_name(const struct place *p)
{
        static struct place parent;

        path_parent(p, &parent);
        if (!parent.real[0] && parent.path[0])
                return 0;
        return rt_syscall6(SYS_access, (long)path_machine(&parent), W_OK | X_OK, 0, 0, 0, 0);
}

static bool begins(const char *path, const char *with)
{
        while (*with && *path == *with) {
                path++;
                with++;
        }
        return !*with;
}

/* Does it matter to a later execution what is written there? */
static bool is_harmless(const char *path)
{
        static const char *const all[] = {"/dev/null",    "/dev/zero", "/dev/full",    "/dev/random",
                                          "/dev/urandom", "/dev/tty",  "/dev/pts",     "/dev/stdout",
                                          "/dev/stderr",  "/dev/fd",   "/proc/self/fd"};

        for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
                if (begins(path, all[i]))
                        return true;
        return false;
}

static long open_outside(const struct place *p, long flags, long mode)
{
        long r = rt_syscall6(SYS_openat, AT_FDCWD, (long)path_machine(p), flags, mode, 0, 0);

        if (r >= 0 && (flags & O_ACCMODE) != O_RDONLY && !is_harmless(p->real))
                rt_note_incomplete(REASON_OUTSIDE, p->real);
        return r;
}

uint32_t file_masked(long mode)
{
        long mask = rt_syscall6(SYS_umask, 077, 0, 0, 0, 0, 0);

        rt_syscall6(SYS_umask, mask, 0, 0, 0, 0, 0);
        return (uint32_t)mode & 07777 & ~(uint32_t)mask;
}

/* The rights of a new file do not concern the open that makes it. */
static long open_new(const char *path, long flags, long mode, bool named)
{
        int node = node_new_file(path, 0600);
        long r;

        if (named)
                names_set(path, node);
        r = node_open(node, flags & ~__O_TMPFILE);
        node_at(node)->mode = S_IFREG | file_masked(mode);
        rt_syscall6(SYS_fchmod, node_at(node)->fd, file_masked(mode), 0, 0, 0, 0);
        return r;
}

static long create(const struct place *p, long flags, long mode)
{
        long r;

        if (!(flags & O_CREAT))
                return -ENOENT;
        if (p->slash || (flags & O_DIRECTORY))
                return p->slash ? -EISDIR : -EINVAL;
        r = file_may_name(p);
        return r < 0 ? r : open_new(p->path, flags, mode, true);
}

/* What there is at the place: the bits of st_mode. */
static uint32_t kind_at(const struct place *p)
{
        struct stat st;

        if (p->node >= 0)
                return node_at(p->node)->mode & S_IFMT;
        if (rt_syscall6(SYS_lstat, (long)path_machine(p), (long)&st, 0, 0, 0, 0) != 0)
                return 0;
        return st.st_mode & S_IFMT;
}

static long open_existing(struct place *p, long flags, long mode)
{
        bool writes = (flags & O_ACCMODE) != O_RDONLY || (flags & O_TRUNC);
        uint32_t kind = kind_at(p);
        long r;

        if (kind == S_IFDIR) {
                if (writes || (flags & O_CREAT))
                        return -EISDIR;
                if (listing_differs(p))
                        return listing_open(p, flags);
        } else if ((flags & O_DIRECTORY) || p->slash) {
                return -ENOTDIR;
        }
        if (kind == S_IFLNK && !(flags & O_PATH))
                return -ELOOP;
        if (p->node < 0 && !(kind == S_IFREG && writes && !(flags & O_PATH)))
                return open_outside(p, flags & ~O_CREAT, mode);
        if (p->node < 0) {
                r = rt_syscall6(SYS_access, (long)p->real, W_OK | ((flags & O_ACCMODE) == O_RDWR ? R_OK : 0), 0, 0, 0,
                                0);
                if (r < 0)
                        return r;
                r = file_own(p);
                if (r < 0)
                        return r;
        }
        return node_open(p->node, flags);
}

long file_open(const long *a)
{
        static struct place p;
        long flags = a[2], r;
        bool follow = !(flags & O_NOFOLLOW) && (flags & (O_CREAT | O_EXCL)) != (O_CREAT | O_EXCL);

        r = file_find(a, follow, &p);
        if (r < 0)
                return r;
        if (p.opaque)
                return open_outside(&p, flags, a[3]);
        if ((flags & O_TMPFILE) == O_TMPFILE)
                return p.absent ? -ENOENT : open_new(p.path, flags, a[3], false);
        if (p.absent)
                return create(&p, flags, a[3]);
        if ((flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL))
                return -EEXIST;
        return open_existing(&p, flags, a[3]);
}

/* A file without a name, as those with one; large pages and seals are not covered. */
long file_memfd(const long *a)
{
        char path[300];

        if (rt_syscall6(SYS_access, a[0], F_OK, 0, 0, 0, 0) == -EFAULT)
                return -EFAULT;
        rt_format(path, sizeof path, "memfd:%s", (const char *)a[0]);
        return open_new(path, O_RDWR | (a[1] & 1 /* MFD_CLOEXEC */ ? O_CLOEXEC : 0), 0777, false);
}

long file_open2(const long *a)
{
        const uint64_t *how = (const uint64_t *)a[2];
        const long b[] = {a[0], a[1], (long)how[0], (long)how[1]};

        return file_open(b);
}
