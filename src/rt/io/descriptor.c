/*
 * Descriptors: those opened since the snapshot are closed, those closed or replaced are put back.
 *
 * A descriptor is duplicated only when the program is about to close it, so that a program that leaves its descriptors
 * alone pays nothing.  Duplicates are at high numbers: the program gets the same small numbers as without heddle.
 * What is read and written is not a change that is seen; so offsets are put back every time, for the few descriptors
 * that have one, and pipes are emptied and filled again.
 *
 * Not covered: the contents of files, and of sockets that are connected to other processes.
 */
#include "rt/io/descriptor.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "rt/fault.h"
#include "rt/map.h"
#include "rt/rt.h"
#include "rt/util.h"
#include "rt/io/channel.h"
#include "rt/io/instances.h"
#include "rt/io/socket.h"

#define MAX_SAVED   1024
#define MAX_TOUCHED 256
#define MAX_OWN     (MAX_SAVED + 16)

struct saved {
        int fd;
        int backup;     /* a duplicate of it, -1: none yet */
        int flags;      /* F_GETFL */
        int fd_flags;   /* F_GETFD */
        int64_t offset; /* -1: it has none, or it is not ours to move */
        uint64_t pipe;  /* the reading end of one: its inode, 0: it is none */
        uint32_t held;  /* bytes in the pipe */
        char *contents;
};

static struct saved saved[MAX_SAVED];
static uint32_t n_saved;
static bool any_shared; /* offsets or pipes among them */
static int touched[MAX_TOUCHED];
static uint32_t n_touched;
static bool unknown, flags_changed;
static int own[MAX_OWN];
static uint32_t n_own;

static long control(int fd, long command, long arg)
{
        return rt_syscall6(SYS_fcntl, fd, command, arg, 0, 0, 0);
}

bool descriptor_is_own(int fd)
{
        for (uint32_t i = 0; i < n_own; i++)
                if (own[i] == fd)
                        return true;
        return false;
}

int descriptor_keep(int fd)
{
        struct rlimit limit = {1024, 1024};
        long floor, high;

        rt_syscall6(SYS_prlimit64, 0, RLIMIT_NOFILE, 0, (long)&limit, 0, 0);
        floor = limit.rlim_cur >= 2048 ? 1024 : (long)(limit.rlim_cur - limit.rlim_cur / 4);
        high = control(fd, F_DUPFD_CLOEXEC, floor);
        if (high < 0 || n_own == MAX_OWN)
                return -1;
        own[n_own++] = (int)high;
        return (int)high;
}

void descriptor_drop(int fd)
{
        for (uint32_t i = 0; i < n_own; i++)
                if (own[i] == fd)
                        own[i] = own[--n_own];
        rt_syscall6(SYS_close, fd, 0, 0, 0, 0, 0);
}

struct entry { /* of a directory, as the kernel writes it */
        uint64_t inode;
        int64_t offset;
        uint16_t size;
        uint8_t type;
        char name[];
};

void descriptor_each(void (*f)(void *arg, int fd), void *arg)
{
        static uint64_t buffer[8192];
        long n, dir = rt_syscall6(SYS_openat, AT_FDCWD, (long)"/proc/self/fd", O_RDONLY | O_CLOEXEC, 0, 0, 0);

        if (dir < 0)
                rt_fault("cannot read /proc/self/fd");
        while ((n = rt_syscall6(SYS_getdents64, dir, (long)buffer, sizeof buffer, 0, 0, 0)) > 0)
                for (long at = 0; at < n;) {
                        const struct entry *e = (const void *)((const char *)buffer + at);
                        int fd = 0;

                        at += e->size;
                        if (e->name[0] < '0' || e->name[0] > '9')
                                continue;
                        for (const char *p = e->name; *p; p++)
                                fd = fd * 10 + (*p - '0');
                        if (fd != dir && !descriptor_is_own(fd))
                                f(arg, fd);
                }
        rt_syscall6(SYS_close, dir, 0, 0, 0, 0, 0);
}

static struct saved *saved_at(int fd)
{
        for (uint32_t i = 0; i < n_saved; i++)
                if (saved[i].fd == fd)
                        return &saved[i];
        return NULL;
}

/* Bytes that wait in a pipe or socket; -1 if it has no such thing. */
static int queued_in(int fd)
{
        int queued = 0;

        return rt_syscall6(SYS_ioctl, fd, FIONREAD, (long)&queued, 0, 0, 0) == 0 ? queued : -1;
}

/* Takes out what a pipe holds. */
static uint32_t drain(int fd, char *to, uint32_t room)
{
        char away[4096];
        uint32_t n = 0;
        int queued;

        while ((queued = queued_in(fd)) > 0) {
                bool keep = to && n + (uint32_t)queued <= room;
                long r = rt_syscall6(SYS_read, fd, (long)(keep ? to + n : away), keep ? queued : (long)sizeof away, 0,
                                     0, 0);
                if (r <= 0)
                        break;
                n += (uint32_t)r;
        }
        return n;
}

static void refill(const struct saved *s)
{
        char path[80]; /* rt_format keeps 32 bytes free */
        long fd;

        if (!s->held)
                return;
        rt_format(path, sizeof path, "/proc/self/fd/%u", (unsigned)s->fd);
        fd = rt_syscall6(SYS_openat, AT_FDCWD, (long)path, O_WRONLY | O_NONBLOCK | O_CLOEXEC, 0, 0, 0);
        rt_syscall6(SYS_write, fd, (long)s->contents, s->held, 0, 0, 0);
        rt_syscall6(SYS_close, fd, 0, 0, 0, 0, 0);
}

static void save_pipe(struct saved *s, uint64_t inode)
{
        int queued = queued_in(s->fd);

        if ((s->flags & O_ACCMODE) == O_WRONLY || queued < 0)
                return;
        for (const struct saved *other = saved; other < s; other++)
                if (other->pipe == inode)
                        return; /* once is enough */
        s->pipe = inode;
        if (queued > 0) {
                s->contents = rt_map((size_t)queued);
                s->held = drain(s->fd, s->contents, (uint32_t)queued);
                refill(s);
        }
}

static void save_one(void *arg, int fd)
{
        struct saved *s = &saved[n_saved];
        struct stat st;

        if (n_saved == MAX_SAVED)
                rt_fault("the program has more than 1024 descriptors");
        rt_zero(s, sizeof *s);
        s->fd = fd;
        s->backup = -1;
        s->offset = -1;
        s->flags = (int)control(fd, F_GETFL, 0);
        s->fd_flags = (int)control(fd, F_GETFD, 0);
        n_saved++;
        if (rt_syscall6(SYS_fstat, fd, (long)&st, 0, 0, 0, 0) != 0 || (s->flags & O_PATH))
                return;
        if ((fd == 1 || fd == 2) && rt.down->output)
                return;
        if (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))
                s->offset = rt_syscall6(SYS_lseek, fd, 0, 1 /* SEEK_CUR */, 0, 0, 0);
        else if (S_ISFIFO(st.st_mode))
                save_pipe(s, st.st_ino);
        else if (S_ISSOCK(st.st_mode) && queued_in(fd) > 0)
                *(const char **)arg = "a socket with data in it when its first thread is created";
        if (s->offset >= 0 || s->pipe)
                any_shared = true;
}

const char *descriptor_save(bool backups)
{
        const char *why = NULL;

        n_saved = 0;
        any_shared = false;
        descriptor_each(save_one, &why);
        for (uint32_t i = 0; backups && i < n_saved; i++)
                if (!channel_at(saved[i].fd))
                        saved[i].backup = descriptor_keep(saved[i].fd);
        channel_save();
        if (!why)
                why = socket_save();
        epoll_save();
        return why;
}

bool descriptor_backed_up(void)
{
        for (uint32_t i = 0; i < n_own; i++)
                if (control(own[i], F_GETFD, 0) < 0)
                        return false;
        return true;
}

bool descriptor_change(int fd)
{
        struct saved *s = saved_at(fd);

        if (descriptor_is_own(fd))
                return false;
        if (s && s->backup < 0 && !channel_at(fd))
                s->backup = descriptor_keep(fd);
        descriptor_opened(fd);
        return true;
}

void descriptor_opened(int fd)
{
        if (fd < 0)
                return;
        for (uint32_t i = 0; i < n_touched; i++)
                if (touched[i] == fd)
                        return;
        if (n_touched == MAX_TOUCHED)
                unknown = true;
        else
                touched[n_touched++] = fd;
}

void descriptor_unknown(void)
{
        unknown = true;
}

void descriptor_flags(void)
{
        flags_changed = true;
}

long descriptor_close_range(unsigned first, unsigned last, unsigned flags)
{
        bool closes = !(flags & 4 /* CLOSE_RANGE_CLOEXEC */);
        long r = 0;

        for (uint32_t i = 0; closes && i < n_saved; i++)
                if ((unsigned)saved[i].fd >= first && (unsigned)saved[i].fd <= last)
                        descriptor_change(saved[i].fd);
        flags_changed = flags_changed || !closes;
        while (r == 0 && first <= last) {
                unsigned next = UINT32_MAX;
                bool found = false;

                for (uint32_t i = 0; i < n_own; i++)
                        if ((unsigned)own[i] >= first && (unsigned)own[i] <= last && (unsigned)own[i] < next) {
                                next = (unsigned)own[i];
                                found = true;
                        }
                if (!found)
                        return rt_syscall6(SYS_close_range, first, last, flags & ~2u, 0, 0, 0);
                if (next > first)
                        r = rt_syscall6(SYS_close_range, first, next - 1, flags & ~2u, 0, 0, 0);
                first = next + 1;
        }
        return r;
}

static void restore_flags(void)
{
        for (uint32_t i = 0; i < n_saved; i++) {
                control(saved[i].fd, F_SETFL, saved[i].flags);
                control(saved[i].fd, F_SETFD, saved[i].fd_flags);
        }
        flags_changed = false;
}

void descriptor_restore_offsets(void)
{
        for (uint32_t i = 0; any_shared && i < n_saved; i++) {
                const struct saved *s = &saved[i];

                if (s->offset >= 0)
                        rt_syscall6(SYS_lseek, s->fd, s->offset, 0 /* SEEK_SET */, 0, 0, 0);
                if (s->pipe) {
                        drain(s->fd, NULL, 0);
                        refill(s);
                }
        }
}

static void put_back(void *arg, int fd)
{
        const struct saved *s = saved_at(fd);

        (void)arg;
        if (!s)
                rt_syscall6(SYS_close, fd, 0, 0, 0, 0, 0);
        else if (s->backup >= 0)
                rt_syscall6(SYS_dup3, s->backup, fd, s->fd_flags & FD_CLOEXEC ? O_CLOEXEC : 0, 0, 0, 0);
}

bool descriptor_is_unchanged(void)
{
        for (uint32_t i = 0; any_shared && i < n_saved; i++)
                if (saved[i].pipe)
                        return false;
        return !n_touched && !unknown && !flags_changed && !channel_any() && !socket_any() && !epoll_any();
}

bool descriptor_is_as_saved(void)
{
        struct stat st;

        for (uint32_t i = 0; any_shared && i < n_saved; i++)
                if (saved[i].offset >= 0 &&
                    rt_syscall6(SYS_lseek, saved[i].fd, 0, 1 /* SEEK_CUR */, 0, 0, 0) != saved[i].offset)
                        return false;
        return !rt.down->output || (rt_syscall6(SYS_fstat, 1, (long)&st, 0, 0, 0, 0) == 0 && st.st_size == 0);
}

void descriptor_restore(bool all)
{
        if (all || unknown) {
                descriptor_each(put_back, NULL);
                for (uint32_t i = 0; i < n_saved; i++)
                        put_back(NULL, saved[i].fd);
        } else {
                for (uint32_t i = 0; i < n_touched; i++)
                        put_back(NULL, touched[i]);
        }
        n_touched = 0;
        unknown = false;
        if (channel_restore(false) || all || flags_changed)
                restore_flags();
        epoll_restore();
        descriptor_restore_offsets();
}

void descriptor_restore_shared(void)
{
        channel_restore(false);
        restore_flags();
        descriptor_restore_offsets();
}
