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
#include "rt/world/own_signals.h"

#define CHUNK 4096u /* fits wherever there is room at all */

struct io {
        int fd;
        uint64_t channel;
        bool out, try;
        const void *buf; /* NULL: see vec */
        size_t size;
        bool held;               /* fd is a reference of ours */
        const struct iovec *vec; /* pieces of the buffer */
        size_t n_vec;
        const void *also[2]; /* results apart from the bytes, NULL: none */
        size_t also_size[2];
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
static void hold(struct io *io)
{
        int copy;

        if (!rt.live || !effect_is_shared(effect_descriptor(io->fd)))
                return;
        copy = (int)rt_syscall6(SYS_fcntl, io->fd, F_DUPFD_CLOEXEC, CHANNEL_MAX_FD / 2, 0, 0, 0);
        if (copy < 0)
                return;
        descriptor_opened(copy);
        channel_duplicated(io->fd, copy);
        io->fd = copy;
        io->held = true;
}

static void let_go(const struct io *io)
{
        int error = errno;

        if (!io->held)
                return;
        rt_syscall6(SYS_close, io->fd, 0, 0, 0, 0, 0);
        channel_closed(io->fd);
        errno = error;
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
                hold(io);
        return io->channel != 0;
}

static enum arrival begin(struct thread *t, const struct io *io, uintptr_t site)
{
        uint32_t op = io->try ? OP_CHANNEL_TRY : io->out ? OP_CHANNEL_WRITE : OP_CHANNEL_READ;

        t->turn.also_shared = false;
        if (rt.live)
                each_piece(t, io, io->buf ? io->size : SIZE_MAX, touch_piece);
        return cancel_arrive(t, op, io->channel, 8, channel_object(io->channel), site);
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
        channel_used(t, how, io->channel);
        errno = error;
}

/* There is no reader: the signal that a write raises ends the process unless it is ignored or caught. */
static void check_reader(const struct io *io, uintptr_t site)
{
        struct pollfd p = {.fd = io->fd, .events = POLLOUT};
        struct signal_action a = {0};

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

        if (!find(&io, fd, false, false, site) || !n) {
                r = LISTED(read, site, (uint64_t)io.fd, LISTED_POINTER(p), n);
                let_go(&io);
                return r;
        }
        how = begin(t, &io, site);
        r = RT_REAL(read)(io.fd, p, n);
        finish(t, how, &io, r);
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
                r = RT_REAL(write)(io.fd, p, n);
        } else {
                r = write_parts(rt_cur, &io, p, n, site);
        }
        let_go(&io);
        return r;
}

#define WORDS(...) __VA_ARGS__
#define POINTER(p) LISTED_POINTER(p)

/* One call that does all: the operation, then the real function. */
#define TRANSFER(type, name, params, args, words, out, try, ...)           \
        RT_EXPORT type name params                                         \
        {                                                                  \
                struct io io = {__VA_ARGS__};                              \
                enum arrival how;                                          \
                type r;                                                    \
                                                                           \
                if (!find(&io, fd, out, try, RT_SITE()))                   \
                        return (type)LISTED(name, RT_SITE(), WORDS words); \
                fd = io.fd;                                                \
                call_in(io.vec, io.n_vec * sizeof *io.vec, RT_SITE());     \
                how = begin(rt_cur, &io, RT_SITE());                       \
                if (out)                                                   \
                        check_reader(&io, RT_SITE());                      \
                r = RT_REAL(name) args;                                    \
                finish(rt_cur, how, &io, r);                               \
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
         ((uint64_t)fd, POINTER(p), n, (uint64_t)flags), true, flags &MSG_DONTWAIT, .buf = p, .size = n)
TRANSFER(ssize_t, recvfrom, (int fd, void *p, size_t n, int flags, struct sockaddr *from, socklen_t *length),
         (fd, p, n, flags, from, length),
         ((uint64_t)fd, POINTER(p), n, (uint64_t)flags, POINTER(from), POINTER(length)), false, flags &MSG_DONTWAIT,
         .buf = p, .size = n, .also = {length}, .also_size = {from ? sizeof *length : 0})
TRANSFER(ssize_t, sendto, (int fd, const void *p, size_t n, int flags, const struct sockaddr *to, socklen_t length),
         (fd, p, n, flags, to, length), ((uint64_t)fd, POINTER(p), n, (uint64_t)flags, POINTER(to), length), true,
         flags &MSG_DONTWAIT, .buf = p, .size = n)
TRANSFER(ssize_t, recvmsg, (int fd, struct msghdr *m, int flags), (fd, m, flags),
         ((uint64_t)fd, POINTER(m), (uint64_t)flags), false, flags &MSG_DONTWAIT, .vec = m->msg_iov,
         .n_vec = m->msg_iovlen, .also = {m, m->msg_control}, .also_size = {sizeof *m, m->msg_controllen})
TRANSFER(ssize_t, sendmsg, (int fd, const struct msghdr *m, int flags), (fd, m, flags),
         ((uint64_t)fd, POINTER(m), (uint64_t)flags), true, flags &MSG_DONTWAIT, .vec = m->msg_iov,
         .n_vec = m->msg_iovlen)

/* libc's names for a read and a write of eight bytes; they answer 0. */

RT_EXPORT int eventfd_read(int fd, eventfd_t *value)
{
        struct io io = {.buf = value, .size = sizeof *value};
        enum arrival how;
        int r;

        if (!find(&io, fd, false, false, RT_SITE()))
                return RT_REAL(eventfd_read)(fd, value);
        how = begin(rt_cur, &io, RT_SITE());
        r = RT_REAL(eventfd_read)(io.fd, value);
        finish(rt_cur, how, &io, r < 0 ? r : (ssize_t)sizeof *value);
        let_go(&io);
        return r;
}

TRANSFER(int, eventfd_write, (int fd, eventfd_t value), (fd, value), ((uint64_t)fd, value), true, false, .buf = NULL)

/* Closing an end may be what the other side waits for. */

/* The channels of what is at fd; 0: there is none, or only one. */
static void ends_at(int fd, uint64_t end[2])
{
        const struct channel_end *e = channel_at(fd);

        end[0] = e ? e->in ? e->in : e->out : 0;
        end[1] = e && e->in && e->out != e->in ? e->out : 0;
}

/* fd is closed, or its ends are changed, in one transition that has these effects, too.  The first is that on the number,
 * and comes first where others use it: then what is there is known only when the turn has come. */
static void ends_use(int fd, uint32_t op, const struct effect *e, unsigned n, uintptr_t site)
{
        struct thread *t = rt_cur;
        bool number = effect_touch(t, e, n) && effect_is_shared(e->state);
        uint64_t end[2];
        enum arrival how;

        ends_at(fd, end);
        if (number || !end[0]) {
                how = effect_perform(e, n, site);
                ends_at(fd, end);
                for (int i = 0; i < 2 && end[i] && how != ARRIVE_PRIVATE; i++) {
                        shadow_touch(t, end[i], 8);
                        op_also(t, how, op, end[i], 8, WIRE_MODE_WRITE, channel_object(end[i])->state);
                }
        } else {
                bool other = rt.live && end[1] && shadow_touch(t, end[1], 8); /* both are touched */

                t->turn.also_shared = (rt.live && effect_touch(t, e, n)) || other;
                how = op_arrive(t, op, end[0], 8, channel_object(end[0]), site);
                t->turn.also_shared = false;
                op_log(t, how, WIRE_MODE_WRITE, channel_object(end[0])->state);
                if (end[1])
                        op_also(t, how, op, end[1], 8, WIRE_MODE_WRITE, channel_object(end[1])->state);
                effect_log(t, how, e, n);
        }
        t->channel.closing_how = (uint8_t)how;
}

/* It is done: others see it. */
static void ends_used(const struct channel_end *was)
{
        enum arrival how = (enum arrival)rt_cur->channel.closing_how;

        if (was->in)
                channel_used(rt_cur, how, was->in);
        if (was->out && was->out != was->in)
                channel_used(rt_cur, how, was->out);
}

/* `from`: another that is put there, -1: none; contents: the effect of flushing a stream, NULL: none. */
static int close_with(int fd, int from, const struct effect *contents, int (*deed)(void *), void *arg, uintptr_t site)
{
        struct effect e[3] = {EFFECT_CHANGE(effect_descriptor(fd)), EFFECT_ADD(STATE_DESCRIPTORS)};
        struct channel_end was = {0};
        int r;

        if (rt_cur && fd >= 0) {
                e[2] = contents ? *contents : EFFECT_USE(effect_descriptor(from));
                ends_use(fd, OP_CHANNEL_CLOSE, e, from < 0 && !contents ? 2 : 3, site);
                if (channel_at(fd))
                        was = *channel_at(fd);
                effect_duplicated(fd, fd);
        }
        r = deed(arg);
        if (rt_cur && fd >= 0)
                epoll_closed(fd);
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
        return close_with(fd, -1, NULL, deed_close, &fd, RT_SITE());
}

RT_EXPORT int fclose(FILE *f)
{
        struct effect contents;
        bool flushes = false;

        if (rt_cur) {
                stream_use(rt_cur, f, true, RT_SITE());
                flushes = rt.live && stream_contents(f, true, &contents) && contents.mode != WIRE_MODE_READ;
        }
        return close_with(rt_cur ? fileno(f) : -1, -1, flushes ? &contents : NULL, deed_fclose, f, RT_SITE());
}

RT_EXPORT int shutdown(int fd, int how)
{
        const struct effect use = EFFECT_USE(effect_descriptor(fd));
        struct channel_end was = {0};
        int r;

        if (rt_cur && channel_at(fd)) {
                ends_use(fd, OP_CHANNEL_CLOSE, &use, 1, RT_SITE());
                if (channel_at(fd))
                        was = *channel_at(fd);
                channel_changed(fd);
        } else if (fd >= 0) {
                effect_change_file(fd, RT_SITE());
        }
        r = RT_REAL(shutdown)(fd, how);
        if (was.kind)
                ends_used(&was);
        return r;
}

static int deed_nothing(void *arg)
{
        (void)arg;
        return 0;
}

void channel_replace(int fd, int from, uintptr_t site)
{
        close_with(fd, from, NULL, deed_nothing, NULL, site);
}
