/*
 * See node.h.
 *
 * A file's times are set to a fixed one when its node is made, so that its time of change tells whether it was written since:
 * what stat() shows does not depend on real time.
 */
#include "rt/files/node.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

#include "base/hash.h"
#include "rt/fault.h"
#include "rt/files/names.h"
#include "rt/io/descriptor.h"
#include "rt/map.h"
#include "rt/rt.h"
#include "rt/sched/end.h"
#include "rt/util.h"
#include "rt/world/time.h"

#define MAX_NODES 4096u

static struct node *nodes, *saved;
static uint32_t n_nodes, n_saved;
static uint64_t memory_dev; /* the device of all memfds */

struct node *node_at(int i)
{
        return &nodes[i];
}

uint32_t node_count(void)
{
        return n_nodes;
}

int64_t node_time(void)
{
        return (int64_t)(time_base(CLOCK_REALTIME) / NSEC);
}

uint32_t node_cell(uint64_t dev, uint64_t ino)
{
        return (uint32_t)hash_slot(hash_mix(dev, ino), NODE_CELL_BITS);
}

static int new_node(enum node_kind kind)
{
        if (!nodes)
                nodes = rt_map(MAX_NODES * sizeof *nodes);
        if (n_nodes == MAX_NODES)
                exec_end_text(WIRE_END_UNSUPPORTED, 0, "more than 4096 files that one execution makes or changes");
        rt_zero(&nodes[n_nodes], sizeof *nodes);
        nodes[n_nodes].kind = (uint8_t)kind;
        nodes[n_nodes].fd = -1;
        nodes[n_nodes].mtime = node_time();
        return (int)n_nodes++;
}

static void set_time(const struct node *n)
{
        const struct timespec times[2] = {{.tv_sec = n->mtime}, {.tv_sec = n->mtime}};

        rt_syscall6(SYS_utimensat, n->fd, 0, (long)times, 0, 0, 0);
}

/* Memory for the contents of a file. */
static void make_memory(struct node *n)
{
        long fd = rt_syscall6(SYS_memfd_create, (long)"heddle", 1 /* MFD_CLOEXEC */, 0, 0, 0, 0);
        struct stat st;

        if (fd < 0) /* not permitted: a file without a name */
                fd = rt_syscall6(SYS_openat, AT_FDCWD, (long)"/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600, 0, 0);
        if (fd >= 0) {
                n->fd = descriptor_keep((int)fd);
                rt_syscall6(SYS_close, fd, 0, 0, 0, 0, 0);
        }
        if (n->fd < 0)
                exec_end_text(WIRE_END_UNSUPPORTED, 0,
                              "more files that one execution writes than there are descriptors (raise ulimit -n)");
        rt_syscall6(SYS_fstat, n->fd, (long)&st, 0, 0, 0, 0);
        n->memory = st.st_ino;
        memory_dev = st.st_dev;
}

static void show_as(struct node *n, const char *path)
{
        uint64_t h = HASH_FNV_START;

        while (*path)
                h = hash_mix(h, (unsigned char)*path++);
        n->dev = 1;
        n->ino = h >> 1 | 1;
        n->cell = node_cell(n->dev, n->ino);
}

int node_new_file(const char *path, uint32_t mode)
{
        int i = new_node(NODE_FILE);

        make_memory(&nodes[i]);
        show_as(&nodes[i], path);
        nodes[i].written = true;
        nodes[i].mode = S_IFREG | mode;
        rt_syscall6(SYS_fchmod, nodes[i].fd, mode, 0, 0, 0, 0);
        set_time(&nodes[i]);
        return i;
}

static void owned(struct node *n)
{
        n->uid = (uint32_t)rt_syscall6(SYS_geteuid, 0, 0, 0, 0, 0, 0);
        n->gid = (uint32_t)rt_syscall6(SYS_getegid, 0, 0, 0, 0, 0, 0);
}

int node_new_dir(const char *path, uint32_t mode)
{
        int i = new_node(NODE_DIR);

        show_as(&nodes[i], path);
        owned(&nodes[i]);
        nodes[i].mode = S_IFDIR | mode;
        return i;
}

int node_new_link(const char *path, const char *target)
{
        int i = new_node(NODE_LINK);

        show_as(&nodes[i], path);
        owned(&nodes[i]);
        nodes[i].mode = S_IFLNK | 0777;
        nodes[i].text = names_text(target);
        return i;
}

static long copy_contents(const char *real, int to)
{
        long from = rt_syscall6(SYS_openat, AT_FDCWD, (long)real, O_RDONLY | O_CLOEXEC, 0, 0, 0), n;

        if (from < 0)
                return from;
        do {
                n = rt_syscall6(SYS_sendfile, to, from, 0, 1 << 30, 0, 0);
        } while (n > 0);
        rt_syscall6(SYS_close, from, 0, 0, 0, 0, 0);
        return n;
}

int node_copy(const char *real)
{
        static char target[4096];
        struct stat st;
        long r = rt_syscall6(SYS_lstat, (long)real, (long)&st, 0, 0, 0, 0);
        struct node *n;
        int i;

        if (r < 0)
                return (int)r;
        if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode) && !S_ISLNK(st.st_mode))
                return -EPERM;
        i = new_node(S_ISREG(st.st_mode) ? NODE_FILE : S_ISDIR(st.st_mode) ? NODE_DIR : NODE_LINK);
        n = &nodes[i];
        n->mode = st.st_mode;
        n->uid = st.st_uid;
        n->gid = st.st_gid;
        n->dev = st.st_dev;
        n->ino = st.st_ino;
        n->cell = node_cell(n->dev, n->ino);
        n->mtime = st.st_mtim.tv_sec;
        if (n->kind == NODE_DIR)
                n->text = names_text(real);
        if (n->kind == NODE_LINK) {
                r = rt_syscall6(SYS_readlink, (long)real, (long)target, sizeof target - 1, 0, 0, 0);
                target[r > 0 ? r : 0] = 0;
                n->text = names_text(target);
        }
        if (n->kind != NODE_FILE)
                return i;
        make_memory(n);
        r = copy_contents(real, n->fd);
        rt_syscall6(SYS_fchmod, n->fd, st.st_mode & 07777, 0, 0, 0, 0);
        rt_syscall6(SYS_fchown, n->fd, st.st_uid, st.st_gid, 0, 0, 0);
        set_time(n);
        if (r >= 0)
                return i;
        descriptor_drop(n->fd);
        n_nodes--;
        return (int)r;
}

void node_open_dir(int of, uint64_t dev, uint64_t ino, const char *path)
{
        int i = new_node(NODE_DIR);

        nodes[i] = nodes[of];
        nodes[i].memory = ino;
        nodes[i].path = names_text(path);
        memory_dev = dev;
}

int node_of_memory(uint64_t dev, uint64_t ino)
{
        for (uint32_t i = 0; dev == memory_dev && i < n_nodes; i++)
                if (nodes[i].memory == ino)
                        return (int)i;
        return -1;
}

int node_of_real(uint64_t dev, uint64_t ino)
{
        for (uint32_t i = 0; i < n_nodes; i++)
                if (nodes[i].kind == NODE_FILE && nodes[i].dev == dev && nodes[i].ino == ino)
                        return (int)i;
        return -1;
}

int node_of_descriptor(int fd)
{
        struct stat st;

        if (!n_nodes || rt_syscall6(SYS_fstat, fd, (long)&st, 0, 0, 0, 0) != 0)
                return -1;
        return node_of_memory(st.st_dev, st.st_ino);
}

long node_open(int i, long flags)
{
        char path[64];

        rt_format(path, sizeof path, "/proc/self/fd/%u", (uint32_t)nodes[i].fd);
        if ((flags & O_ACCMODE) != O_RDONLY || (flags & O_TRUNC))
                nodes[i].written = true;
        return rt_syscall6(SYS_openat, AT_FDCWD, (long)path, flags & ~(O_CREAT | O_EXCL | O_NOFOLLOW), 0, 0, 0);
}

long node_stat(int i, struct stat *st)
{
        const struct node *n = &nodes[i];
        int64_t mtime = n->mtime;
        long r = 0;

        if (n->kind == NODE_FILE) {
                r = rt_syscall6(SYS_fstat, n->fd, (long)st, 0, 0, 0, 0);
                mtime += st->st_mtim.tv_sec != mtime || st->st_mtim.tv_nsec;
        } else {
                rt_zero(st, sizeof *st);
                st->st_mode = n->mode;
                st->st_uid = n->uid;
                st->st_gid = n->gid;
                st->st_blksize = 4096;
                st->st_size = 4096;
                for (const char *p = names_text_at(n->text); n->kind == NODE_LINK; p++)
                        if (!*p) {
                                st->st_size = p - names_text_at(n->text);
                                break;
                        }
        }
        st->st_dev = n->dev;
        st->st_ino = n->ino;
        st->st_nlink = n->kind == NODE_DIR ? 2 : names_of(i);
        st->st_atim = st->st_mtim = st->st_ctim = (struct timespec){.tv_sec = mtime};
        return r;
}

void node_save(void)
{
        n_saved = n_nodes;
        for (uint32_t i = 0; i < n_nodes; i++) {
                struct node *n = &nodes[i];
                struct stat st;

                if (n->kind != NODE_FILE || rt_syscall6(SYS_fstat, n->fd, (long)&st, 0, 0, 0, 0) != 0)
                        continue;
                n->saved_size = (uint64_t)st.st_size;
                n->saved = rt_map(n->saved_size + 1);
                rt_syscall6(SYS_pread64, n->fd, (long)n->saved, st.st_size, 0, 0, 0);
        }
        saved = rt_map((n_nodes + 1) * sizeof *saved);
        rt_copy(saved, nodes, n_nodes * sizeof *saved);
}

static void put_back(struct node *n)
{
        uint64_t done = 0;

        rt_syscall6(SYS_ftruncate, n->fd, (long)n->saved_size, 0, 0, 0, 0);
        while (done < n->saved_size) {
                long r = rt_syscall6(SYS_pwrite64, n->fd, (long)(n->saved + done), (long)(n->saved_size - done),
                                     (long)done, 0, 0);
                if (r <= 0)
                        rt_fault("a file could not be put back");
                done += (uint64_t)r;
        }
        rt_syscall6(SYS_fchmod, n->fd, n->mode & 07777, 0, 0, 0, 0);
        set_time(n);
}

void node_restore(bool shared)
{
        while (n_nodes > n_saved) {
                const struct node *n = &nodes[--n_nodes];
                if (n->fd >= 0)
                        descriptor_drop(n->fd);
        }
        for (uint32_t i = 0; i < n_nodes; i++) {
                bool written = nodes[i].written || shared;

                nodes[i] = saved[i];
                if (nodes[i].kind == NODE_FILE && written)
                        put_back(&nodes[i]);
        }
}
