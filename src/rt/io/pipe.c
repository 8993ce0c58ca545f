/*
 * Reading, writing and closing the ends of channels, and the calls that make them.
 *
 * A read waits until there is something to read or no writer is left; a write waits for room.  The operation
 * itself is the real system call, made when it cannot block.  A write of more than a page may come in several parts, and
 * others may come between them, as in the kernel.  A descriptor in non-blocking mode never waits: what fails only looks.
 *
 * Everything that is not a channel (files, standard input) goes through, and is a cancellation point.
 */
#include "rt/io/pipe.h"

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

#include "rt/arch/x86_64/stub.h"
#include "rt/calls/calls.h"
#include "rt/calls/effect.h"
#include "rt/calls/listed.h"
#include "rt/calls/stream.h"
#include "rt/memory/memcheck.h"
#include "rt/memory/shadow.h"
#include "rt/notes.h"
#include "rt/real.h"
#include "rt/sched/arrival.h"
#include "rt/sched/failure.h"
#include "rt/trace/log.h"
#include "rt/sched/operation.h"
#include "rt/loops/spin.h"
#include "rt/thread/cancel.h"
#include "rt/sync/object.h"
#include "rt/threads.h"
#include "rt/util.h"
#include "rt/io/channel.h"
#include "rt/io/descriptor.h"
#include "rt/io/instances.h"
#include "rt/io/outside.h"
#include "rt/io/signal_fd.h"
#include "rt/io/socket.h"
#include "rt/io/socket_end.h"
#include "rt/io/timer_fd.h"
#include "rt/signal/delivery.h"
#include "rt/world/own_signals.h"

#define CHUNK 4096u /* fits wherever there is room at all */

struct io {
        int fd;
        uint64_t channel;
        bool out, try;
        const void *buf; /* NULL: see vec */
        size_t size;
        bool quiet;              /* without a reader there is an error, and no signal */
        bool held;               /* fd is a reference of ours */
        const struct iovec *vec; /* pieces of the buffer */
        size_t n_vec;
        const void *also[2]; /* results apart from the bytes, NULL: none */
        size_t also_size[2];
        struct msghdr *message; /* of recvmsg */
        const void *to;         /* the address that it is sent to, NULL: none */
};

/* Calls f for the pieces of memory that the kernel reads or writes, of n bytes. */
static void each_piece(struct thread *t, const struct io *io, size_t n,
                       void (*f)(struct thread *t, uint32_t op, const void *p, size_t n))
{
        uint32_t op = io->out ? OP_READ : OP_WRITE;

        if (io->buf && n)
                f(t, op, io->buf, n);
        for (size_t i = 0; i < io->n_vec && n; i++) {
                size_t k = io->vec[i].iov_len < n ? io->vec[i].iov_len : n;

                if (k)
                        f(t, op, io->vec[i].iov_base, k);
                n -= k;
        }
        for (unsigned i = 0; i < 2; i++)
                if (io->also[i] && io->also_size[i])
                        f(t, OP_WRITE, io->also[i], io->also_size[i]);
}

static void touch_piece(struct thread *t, uint32_t op, const void *p, size_t n)
{
        (void)op;
        t->turn.also_shared |= shadow_touch(t, (uintptr_t)p, n);
}

static void check_piece(struct thread *t, uint32_t op, const void *p, size_t n)
{
        memory_check(t, op, (uintptr_t)p, n, t->pend.site);
}

/* What the kernel has read or written. */
static void log_piece(struct thread *t, uint32_t op, const void *p, size_t n)
{
        uint64_t value = 0;

        check_piece(t, op, p, n);
        if (!shadow_touch(t, (uintptr_t)p, n))
                return;
        if (n <= sizeof value)
                rt_copy(&value, p, n);
        op_also(t, ARRIVE_INNER, op, (uint64_t)(uintptr_t)p, (uint32_t)n,
                op == OP_READ ? WIRE_MODE_READ : WIRE_MODE_WRITE, value);
}

/* The call looks up what is at the descriptor, in a transition of its own if another thread changes that.  Of a file,
 * which does not make it wait, the call is to be made when this returns. */
static void look_up(int fd, bool out, uintptr_t site)
{
        bool ordered = out && rt.down->order_output, standard = ordered && (fd == 1 || fd == 2);
        const struct effect e[] = {EFFECT_USE(effect_descriptor(fd)),
                                   out && !ordered ? EFFECT_ADD(effect_position(fd))
                                                   : EFFECT_CHANGE(effect_position(fd)),
                                   standard ? EFFECT_CHANGE(stream_state(fd == 1 ? stdout : stderr))
                                            : EFFECT_CONTENTS(fd, out ? WIRE_MODE_WRITE : WIRE_MODE_READ)};
        unsigned n = standard || fd > 2 ? 3 : 2; /* what is printed is not read again */
        bool file = !channel_at(fd);
        enum arrival how;

        if (file)
                cancel_point(site);
        if (fd < 0)
                return;
        how = effect_perform(e, file ? n : 1, site);
        if (!file && !channel_at(fd)) {
                effect_touch(rt_cur, &e[1], n - 1);
                effect_log(rt_cur, how, &e[1], n - 1);
        }
        if (!out && !channel_at(fd))
                spin_progress(rt_cur);
}

/* A call that waits keeps the open file, even if the number is closed or given to another meanwhile. */
bool channel_hold(int *fd)
{
        int copy;

        if (!rt.live || !effect_is_shared(effect_descriptor(*fd)))
                return false;
        copy = (int)rt_syscall6(SYS_fcntl, *fd, F_DUPFD_CLOEXEC, CHANNEL_MAX_FD / 2, 0, 0, 0);
        if (copy < 0)
                return false;
        descriptor_opened(copy);
        channel_duplicated(*fd, copy);
        socket_duplicated(*fd, copy);
        *fd = copy;
        return true;
}

void channel_let_go(int fd)
{
        int error = errno;

        rt_syscall6(SYS_close, fd, 0, 0, 0, 0, 0);
        channel_closed(fd);
        socket_closed(fd, ARRIVE_INNER);
        errno = error;
}

static void let_go(const struct io *io)
{
        if (io->held)
                channel_let_go(io->fd);
}

static bool find(struct io *io, int fd, bool out, bool try, uintptr_t site)
{
        const struct channel_end *e;

        if (rt_cur)
                look_up(fd, out, site);
        e = rt_cur ? channel_at(fd) : NULL;
        io->fd = fd;
        io->out = out;
        io->channel = e ? out ? e->out : e->in : 0;
        io->try = try || (e && (rt_syscall6(SYS_fcntl, fd, F_GETFL, 0, 0, 0, 0) & O_NONBLOCK));
        if (io->channel)
                io->held = channel_hold(&io->fd);
        return io->channel != 0;
}

static enum arrival begin(struct thread *t, const struct io *io, uintptr_t site)
{
        uint32_t op = io->try ? OP_CHANNEL_TRY : io->out ? OP_CHANNEL_WRITE : OP_CHANNEL_READ;

        t->turn.also_shared = false;
        if (rt.live)
                each_piece(t, io, io->buf ? io->size : SIZE_MAX, touch_piece);
        delivery_begin(t, INTERRUPTS_RESTARTS, false);
        return cancel_arrive(t, op, io->channel, 8, channel_object(io->channel), site);
}

/* Did a signal interrupt the call while it had to wait? */
static bool interrupted(struct thread *t, enum arrival how)
{
        if (!delivery_interrupted(t))
                return false;
        cancel_passed(t, how);
        errno = EINTR;
        return true;
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
        if (r > 0)
                each_piece(t, io, (size_t)r, how == ARRIVE_PRIVATE ? check_piece : log_piece);
        if (io->out && r > 0)
                socket_written(t, how, io->channel);
        channel_used(t, how, io->channel);
        errno = error;
}

/* There is no reader: the signal that a write raises ends the process unless it is ignored or caught. */
static void check_reader(const struct io *io, uintptr_t site)
{
        struct pollfd p = {.fd = io->fd, .events = POLLOUT};
        struct signal_action a = {0};

        if (io->quiet)
                return;
        rt_syscall6(SYS_poll, (long)&p, 1, 0, 0, 0, 0);
        if (!(p.revents & (POLLERR | POLLHUP)))
                return;
        rt_syscall6(SYS_rt_sigaction, SIGPIPE, 0, (long)&a, 8, 0, 0);
        if (a.handler == 0 /* SIG_DFL */)
                rt_fail_signal(SIGPIPE, site, "a write to a pipe or socket without a reader");
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
                if (interrupted(t, how)) {
                        r = -1;
                        break;
                }
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
        uintptr_t site = RT_STUB_SITE();
        struct thread *t = rt_cur;
        struct io io = {.buf = p, .size = n};
        enum arrival how;
        ssize_t r;

        if (t && n)
                timer_fd_read(fd, site);
        if (!find(&io, fd, false, false, site) || !n) {
                if (!outside_read(&r, io.fd, &(struct iovec){p, n}, 1, site))
                        r = LISTED(read, site, (uint64_t)io.fd, LISTED_POINTER(p), n);
                let_go(&io);
                return r;
        }
        how = begin(t, &io, site);
        r = -1;
        if (!interrupted(t, how)) {
                bool signals = channel_at(io.fd)->kind == CHANNEL_SIGNALS;

                r = signals ? signal_fd_read(t, io.fd, p, n) : RT_REAL(read)(io.fd, p, n);
                finish(t, how, &io, r);
                if (signals)
                        signal_fd_taken(t, how, io.fd);
        }
        outside_pass();
        let_go(&io);
        return r;
}

RT_STUB(write, channel_write, "default")
ssize_t channel_write(int fd, const void *p, size_t n) __attribute__((used, visibility("hidden")));
ssize_t channel_write(int fd, const void *p, size_t n)
{
        uintptr_t site = RT_STUB_SITE();
        struct io io = {0};

        ssize_t r;

        if (rt_cur && !channel_at(fd))
                call_in(p, n, site);
        if (!find(&io, fd, true, false, site) || !n) {
                r = outside_takes(fd) ? (ssize_t)n : RT_REAL(write)(io.fd, p, n);
        } else {
                r = write_parts(rt_cur, &io, p, n, site);
        }
        let_go(&io);
        return r;
}

/* A message from outside: neither its sender nor control data is recorded. */
static void strip(struct msghdr *m, uintptr_t site)
{
        struct msghdr bare = *m;

        bare.msg_namelen = 0;
        bare.msg_controllen = 0;
        bare.msg_flags = 0;
        call_out(m, &bare, sizeof bare, site);
}

/* Does the call end as it was recorded? */
static bool ended_outside(const struct io *io, ssize_t *r, uintptr_t site)
{
        struct iovec one = {(void *)(uintptr_t)io->buf, io->size};
        const struct iovec *v = io->buf ? &one : io->vec;
        size_t n = io->buf ? 1 : io->n_vec;

        if (!io->out) {
                if (!outside_read(r, io->fd, v, n, site))
                        return false;
                if (io->message)
                        strip(io->message, site);
                return true;
        }
        *r = 0;
        for (size_t i = 0; i < n; i++)
                *r += (ssize_t)v[i].iov_len;
        return outside_takes(io->fd);
}

static void pass_outside(const struct io *io)
{
        if (!io->out)
                outside_pass();
}

/* A message that is sent without a connection: another process may get it. */
static void note_outside(const struct io *io)
{
        if (rt_cur && io->to)
                rt_note_incomplete(REASON_OUTSIDE, "sockets of other processes");
}

#define WORDS(...) __VA_ARGS__
#define POINTER(p) LISTED_POINTER(p)

/* One call that does all: the operation, then the real function. */
#define TRANSFER(type, name, params, args, words, out, try, ...)           \
        RT_EXPORT type name params                                         \
        {                                                                  \
                struct io io = {__VA_ARGS__};                              \
                enum arrival how;                                          \
                ssize_t outside;                                           \
                type r;                                                    \
                                                                           \
                if (!find(&io, fd, out, try, RT_SITE())) {                 \
                        note_outside(&io);                                 \
                        if (ended_outside(&io, &outside, RT_SITE()))       \
                                return (type)outside;                      \
                        return (type)LISTED(name, RT_SITE(), WORDS words); \
                }                                                          \
                fd = io.fd;                                                \
                call_in(io.vec, io.n_vec * sizeof *io.vec, RT_SITE());     \
                how = begin(rt_cur, &io, RT_SITE());                       \
                if (interrupted(rt_cur, how)) {                            \
                        pass_outside(&io);                                 \
                        let_go(&io);                                       \
                        return -1;                                         \
                }                                                          \
                if (out)                                                   \
                        check_reader(&io, RT_SITE());                      \
                r = RT_REAL(name) args;                                    \
                finish(rt_cur, how, &io, r);                               \
                pass_outside(&io);                                         \
                let_go(&io);                                               \
                return r;                                                  \
        }
TRANSFER(ssize_t, readv, (int fd, const struct iovec *v, int n), (fd, v, n), ((uint64_t)fd, POINTER(v), (uint64_t)n),
         false, false, .vec = v, .n_vec = (size_t)n)
TRANSFER(ssize_t, writev, (int fd, const struct iovec *v, int n), (fd, v, n), ((uint64_t)fd, POINTER(v), (uint64_t)n),
         true, false, .vec = v, .n_vec = (size_t)n)
TRANSFER(ssize_t, recv, (int fd, void *p, size_t n, int flags), (fd, p, n, flags),
         ((uint64_t)fd, POINTER(p), n, (uint64_t)flags), false, flags &MSG_DONTWAIT, .buf = p, .size = n)
TRANSFER(ssize_t, send, (int fd, const void *p, size_t n, int flags), (fd, p, n, flags),
         ((uint64_t)fd, POINTER(p), n, (uint64_t)flags), true, flags &MSG_DONTWAIT, .quiet = flags & MSG_NOSIGNAL,
         .buf = p, .size = n)
TRANSFER(ssize_t, recvfrom, (int fd, void *p, size_t n, int flags, struct sockaddr *from, socklen_t *length),
         (fd, p, n, flags, from, length),
         ((uint64_t)fd, POINTER(p), n, (uint64_t)flags, POINTER(from), POINTER(length)), false, flags &MSG_DONTWAIT,
         .buf = p, .size = n, .also = {length}, .also_size = {from ? sizeof *length : 0})
TRANSFER(ssize_t, sendto, (int fd, const void *p, size_t n, int flags, const struct sockaddr *to, socklen_t length),
         (fd, p, n, flags, to, length), ((uint64_t)fd, POINTER(p), n, (uint64_t)flags, POINTER(to), length), true,
         flags &MSG_DONTWAIT, .quiet = flags & MSG_NOSIGNAL, .buf = p, .size = n, .to = to)
TRANSFER(ssize_t, recvmsg, (int fd, struct msghdr *m, int flags), (fd, m, flags),
         ((uint64_t)fd, POINTER(m), (uint64_t)flags), false, flags &MSG_DONTWAIT, .vec = m->msg_iov,
         .n_vec = m->msg_iovlen, .also = {m, m->msg_control}, .also_size = {sizeof *m, m->msg_controllen}, .message = m)
TRANSFER(ssize_t, sendmsg, (int fd, const struct msghdr *m, int flags), (fd, m, flags),
         ((uint64_t)fd, POINTER(m), (uint64_t)flags), true, flags &MSG_DONTWAIT, .quiet = flags & MSG_NOSIGNAL,
         .vec = m->msg_iov, .n_vec = m->msg_iovlen, .to = m->msg_name)

/* libc's names for a read and a write of eight bytes; they answer 0. */

RT_EXPORT int eventfd_read(int fd, eventfd_t *value)
{
        struct io io = {.buf = value, .size = sizeof *value};
        enum arrival how;
        int r;

        if (!find(&io, fd, false, false, RT_SITE()))
                return RT_REAL(eventfd_read)(fd, value);
        how = begin(rt_cur, &io, RT_SITE());
        if (interrupted(rt_cur, how)) {
                let_go(&io);
                return -1;
        }
        r = RT_REAL(eventfd_read)(io.fd, value);
        finish(rt_cur, how, &io, r < 0 ? r : (ssize_t)sizeof *value);
        let_go(&io);
        return r;
}

TRANSFER(int, eventfd_write, (int fd, eventfd_t value), (fd, value), ((uint64_t)fd, value), true, false, .buf = NULL)
