/*
 * Reading, writing and closing the ends of channels, and the calls that make them.
 *
 * A read waits until there is something to read or nobody is left who could write; a write waits for room.  The deed
 * itself is the real system call, made when it cannot block.  A write of more than a page may come in several parts, and
 * others may come between them, as in the kernel.  A descriptor in non-blocking mode never waits: what fails only looks.
 *
 * Everything that is no channel (files, standard input) goes through, and is a cancellation point.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "rt/cancel.h"
#include "rt/channel.h"
#include "rt/kernel.h"
#include "rt/spin.h"
#include "rt/stream.h"
#include "rt/x86_64/stub.h"
#include "rt/heap.h"

#define CHUNK 4096u /* fits wherever there is room at all */

struct io {
        int fd;
        uint64_t channel;
        bool out, try;
        const void *buf; /* NULL: not looked at */
        size_t size;
};

static bool find(struct io *io, int fd, bool out, bool try)
{
        const struct channel_end *e = rt_cur ? channel_at(fd) : NULL;

        io->fd = fd;
        io->out = out;
        io->channel = e ? out ? e->out : e->in : 0;
        io->try = try || (e && (rt_syscall6(SYS_fcntl, fd, F_GETFL, 0, 0, 0, 0) & O_NONBLOCK));
        return io->channel != 0;
}

static enum arrival begin(struct thread *t, const struct io *io, uintptr_t site)
{
        uint32_t op = io->try ? OP_CHANNEL_TRY : io->out ? OP_CHANNEL_WRITE : OP_CHANNEL_READ;

        t->also_shared = rt.live && io->buf && shadow_touch(t, (uintptr_t)io->buf, io->size);
        return cancel_arrive(t, op, io->channel, 8, channel_object(io->channel), site);
}

/* What the kernel has read or written. */
static void check_buffer(bool out, const void *buf, ssize_t r, uintptr_t site)
{
        if (rt_cur && r > 0 && buf)
                memory_check(rt_cur, out ? OP_READ : OP_WRITE, (uintptr_t)buf, (size_t)r, site);
}

static void finish(struct thread *t, enum arrival how, const struct io *io, ssize_t r)
{
        struct object *o = channel_object(io->channel);
        int error = errno;
        struct wire_event *e = op_log(t, how, r < 0 ? WIRE_MODE_READ : WIRE_MODE_WRITE, o->state);

        if (r < 0) {
                e->flags |= WIRE_EV_FAILED;
                spin_read(t, io->channel, 8);
        } else {
                spin_progress(t);
        }
        cancel_passed(t, how);
        check_buffer(io->out, io->buf, r, t->pend.site);
        if (r > 0 && how != ARRIVE_PRIVATE && io->buf && shadow_touch(t, (uintptr_t)io->buf, (size_t)r))
                op_also(t, ARRIVE_INNER, io->out ? OP_READ : OP_WRITE, (uint64_t)(uintptr_t)io->buf, (uint32_t)r,
                        io->out ? WIRE_MODE_READ : WIRE_MODE_WRITE, 0);
        channel_used(t, how, io->channel);
        errno = error;
}

/* Nobody reads: the signal that a write raises ends the process unless it is ignored or caught. */
static void check_reader(const struct io *io, uintptr_t site)
{
        struct pollfd p = {.fd = io->fd, .events = POLLOUT};
        struct signal_action a = {0};

        rt_syscall6(SYS_poll, (long)&p, 1, 0, 0, 0, 0);
        if (!(p.revents & (POLLERR | POLLHUP)))
                return;
        rt_syscall6(SYS_rt_sigaction, SIGPIPE, 0, (long)&a, 8, 0, 0);
        if (a.handler == 0 /* SIG_DFL */)
                rt_fail_signal(SIGPIPE, site, "a write to a pipe or socket that nobody reads any more");
}

static bool room_left(int fd)
{
        struct pollfd p = {.fd = fd, .events = POLLOUT};

        return rt_syscall6(SYS_poll, (long)&p, 1, 0, 0, 0, 0) == 1 && (p.revents & POLLOUT);
}

static ssize_t write_parts(struct thread *t, struct io *io, const char *from, size_t n, uintptr_t site)
{
        bool whole = io->try || channel_at(io->fd)->packets;
        size_t done = 0;
        ssize_t r;

        do {
                size_t before = done;
                enum arrival how;

                io->buf = from + done;
                io->size = n - done;
                how = begin(t, io, site);
                check_reader(io, site);
                do {
                        size_t part = whole || n - done < CHUNK ? n - done : CHUNK;
                        r = RT_REAL(write)(io->fd, from + done, part);
                        done += r > 0 ? (size_t)r : 0;
                } while (r > 0 && !whole && done < n && room_left(io->fd));
                finish(t, how, io, done > before ? (ssize_t)(done - before) : r);
        } while (r > 0 && !whole && done < n);
        return done ? (ssize_t)done : r;
}

RT_STUB(read, channel_read, "default")
ssize_t channel_read(int fd, void *p, size_t n) __attribute__((used, visibility("hidden")));
ssize_t channel_read(int fd, void *p, size_t n)
{
        struct thread *t = rt_cur;
        struct io io = {.buf = p, .size = n};
        enum arrival how;
        ssize_t r;

        if (!find(&io, fd, false, false) || !n) {
                if (t) {
                        cancel_point(RT_SITE());
                        input_descriptor(fd, RT_SITE());
                }
                r = RT_REAL(read)(fd, p, n);
                check_buffer(false, p, r, RT_SITE());
                return r;
        }
        how = begin(t, &io, RT_SITE());
        r = RT_REAL(read)(fd, p, n);
        finish(t, how, &io, r);
        return r;
}

RT_STUB(write, channel_write, "default")
ssize_t channel_write(int fd, const void *p, size_t n) __attribute__((used, visibility("hidden")));
ssize_t channel_write(int fd, const void *p, size_t n)
{
        struct io io = {0};

        if (!find(&io, fd, true, false) || !n) {
                cancel_point(RT_SITE());
                check_buffer(true, p, (ssize_t)n, RT_SITE());
                return RT_REAL(write)(fd, p, n);
        }
        return write_parts(rt_cur, &io, p, n, RT_SITE());
}

/* One call that does all: the operation, then the real function. */
#define TRANSFER(type, name, params, args, out, try, address, length) \
        RT_EXPORT type name params                                    \
        {                                                             \
                struct io io = {.buf = address, .size = length};      \
                enum arrival how;                                     \
                type r;                                               \
                                                                      \
                if (!find(&io, fd, out, try)) {                       \
                        cancel_point(RT_SITE());                      \
                        return RT_REAL(name) args;                    \
                }                                                     \
                how = begin(rt_cur, &io, RT_SITE());                  \
                if (out)                                              \
                        check_reader(&io, RT_SITE());                 \
                r = RT_REAL(name) args;                               \
                finish(rt_cur, how, &io, r);                          \
                return r;                                             \
        }

TRANSFER(ssize_t, readv, (int fd, const struct iovec *v, int n), (fd, v, n), false, false, NULL, 0)
TRANSFER(ssize_t, writev, (int fd, const struct iovec *v, int n), (fd, v, n), true, false, NULL, 0)
TRANSFER(ssize_t, recv, (int fd, void *p, size_t n, int flags), (fd, p, n, flags), false, flags &MSG_DONTWAIT, p, n)
TRANSFER(ssize_t, send, (int fd, const void *p, size_t n, int flags), (fd, p, n, flags), true, flags &MSG_DONTWAIT, p,
         n)
TRANSFER(ssize_t, recvfrom, (int fd, void *p, size_t n, int flags, struct sockaddr *from, socklen_t *length),
         (fd, p, n, flags, from, length), false, flags &MSG_DONTWAIT, p, n)
TRANSFER(ssize_t, sendto, (int fd, const void *p, size_t n, int flags, const struct sockaddr *to, socklen_t length),
         (fd, p, n, flags, to, length), true, flags &MSG_DONTWAIT, p, n)
TRANSFER(ssize_t, recvmsg, (int fd, struct msghdr *m, int flags), (fd, m, flags), false, flags &MSG_DONTWAIT, NULL, 0)
TRANSFER(ssize_t, sendmsg, (int fd, const struct msghdr *m, int flags), (fd, m, flags), true, flags &MSG_DONTWAIT, NULL,
         0)

/* libc's names for a read and a write of eight bytes; they answer 0. */

RT_EXPORT int eventfd_read(int fd, eventfd_t *value)
{
        struct io io = {.buf = value, .size = sizeof *value};
        enum arrival how;
        int r;

        if (!find(&io, fd, false, false)) {
                cancel_point(RT_SITE());
                return RT_REAL(eventfd_read)(fd, value);
        }
        how = begin(rt_cur, &io, RT_SITE());
        r = RT_REAL(eventfd_read)(fd, value);
        finish(rt_cur, how, &io, r < 0 ? r : (ssize_t)sizeof *value);
        return r;
}

TRANSFER(int, eventfd_write, (int fd, eventfd_t value), (fd, value), true, false, NULL, 0)

/* Closing an end may be what the other side waits for. */

static void ends_use(int fd, uint32_t op, uintptr_t site)
{
        struct thread *t = rt_cur;
        const struct channel_end *e = t ? channel_at(fd) : NULL;
        uint64_t first, second;
        enum arrival how;

        if (!e)
                return;
        first = e->in ? e->in : e->out;
        second = e->in && e->out != e->in ? e->out : 0;
        t->also_shared = second && rt.live && shadow_touch(t, second, 8);
        how = op_arrive(t, op, first, 8, channel_object(first), site);
        t->also_shared = false;
        op_log(t, how, WIRE_MODE_WRITE, channel_object(first)->state);
        if (second)
                op_also(t, how, op, second, 8, WIRE_MODE_WRITE, channel_object(second)->state);
        t->closing_how = (uint8_t)how;
}

/* The deed is done: others see it. */
static void ends_used(const struct channel_end *was)
{
        enum arrival how = (enum arrival)rt_cur->closing_how;

        if (was->in)
                channel_used(rt_cur, how, was->in);
        if (was->out && was->out != was->in)
                channel_used(rt_cur, how, was->out);
}

static int close_with(int fd, int (*deed)(void *), void *arg, uintptr_t site)
{
        struct channel_end was = {0};
        int r;

        if (rt_cur && channel_at(fd)) {
                was = *channel_at(fd);
                ends_use(fd, OP_CHANNEL_CLOSE, site);
        }
        r = deed(arg);
        if (was.kind) {
                channel_closed(fd);
                ends_used(&was);
        }
        return r;
}

static int deed_close(void *arg)
{
        return RT_REAL(close)(*(int *)arg);
}

static int deed_fclose(void *arg)
{
        return RT_REAL(fclose)(arg);
}

RT_EXPORT int close(int fd)
{
        cancel_point(RT_SITE());
        return close_with(fd, deed_close, &fd, RT_SITE());
}

RT_EXPORT int fclose(FILE *f)
{
        if (rt_cur)
                stream_use(rt_cur, f, RT_SITE());
        return close_with(rt_cur ? fileno(f) : -1, deed_fclose, f, RT_SITE());
}

RT_EXPORT int shutdown(int fd, int how)
{
        struct channel_end was = {0};
        int r;

        if (rt_cur && channel_at(fd)) {
                was = *channel_at(fd);
                ends_use(fd, OP_CHANNEL_CLOSE, RT_SITE());
                channel_changed(fd);
        }
        r = RT_REAL(shutdown)(fd, how);
        if (was.kind)
                ends_used(&was);
        return r;
}

/* Making and duplicating. */

RT_EXPORT int pipe2(int fd[2], int flags)
{
        int r = RT_REAL(pipe2)(fd, flags);

        if (!r && rt_cur)
                channel_made(CHANNEL_PIPE, fd[0], fd[1], flags);
        return r;
}

RT_EXPORT int pipe(int fd[2])
{
        return pipe2(fd, 0);
}

RT_EXPORT int socketpair(int domain, int type, int protocol, int fd[2])
{
        int r = RT_REAL(socketpair)(domain, type, protocol, fd);

        if (!r && rt_cur)
                channel_made(CHANNEL_SOCKETS, fd[0], fd[1], type);
        return r;
}

RT_EXPORT int eventfd(unsigned value, int flags)
{
        int fd = RT_REAL(eventfd)(value, flags);

        if (fd >= 0 && rt_cur)
                channel_made(CHANNEL_EVENT, fd, -1, flags);
        return fd;
}

static int duplicated(int from, int to)
{
        if (to >= 0 && to != from && rt_cur)
                channel_duplicated(from, to);
        return to;
}

RT_EXPORT int dup(int fd)
{
        return duplicated(fd, RT_REAL(dup)(fd));
}

static int deed_nothing(void *arg)
{
        (void)arg;
        return 0;
}

RT_EXPORT int dup2(int from, int to)
{
        if (from != to && rt_cur)
                close_with(to, deed_nothing, NULL, RT_SITE());
        return duplicated(from, RT_REAL(dup2)(from, to));
}

RT_EXPORT int dup3(int from, int to, int flags)
{
        if (from != to && rt_cur)
                close_with(to, deed_nothing, NULL, RT_SITE());
        return duplicated(from, RT_REAL(dup3)(from, to, flags));
}

RT_EXPORT int fcntl(int fd, int command, ...)
{
        va_list ap;
        void *arg;
        int r;

        va_start(ap, command);
        arg = va_arg(ap, void *);
        va_end(ap);
        r = RT_REAL(fcntl)(fd, command, arg);
        return command == F_DUPFD || command == F_DUPFD_CLOEXEC ? duplicated(fd, r) : r;
}

RT_EXPORT int fcntl64(int fd, int command, ...) __attribute__((alias("fcntl")));

RT_EXPORT FILE *fdopen(int fd, const char *mode)
{
        if (rt_cur && channel_at(fd))
                rt_refuse("fdopen of a pipe or socket pair (use read and write)");
        return RT_REAL(fdopen)(fd, mode);
}

/* libc writes by itself what these print. */

RT_EXPORT int vdprintf(int fd, const char *format, va_list args)
{
        if (rt_cur && channel_at(fd))
                rt_refuse("dprintf to a pipe or socket pair (use snprintf and write)");
        return RT_REAL(vdprintf)(fd, format, args);
}

RT_EXPORT int dprintf(int fd, const char *format, ...)
{
        va_list args;

        va_start(args, format);
        int n = vdprintf(fd, format, args);
        va_end(args);
        return n;
}

RT_EXPORT int __dprintf_chk(int fd, int flag, const char *format, ...);
int __dprintf_chk(int fd, int flag, const char *format, ...)
{
        va_list args;

        (void)flag;
        va_start(args, format);
        int n = vdprintf(fd, format, args);
        va_end(args);
        return n;
}
