/*
 * The calls that make, name and connect stream sockets (socket.h).
 *
 * The addresses are one state: what a call finds there depends on those that bind, listen and close.  A connection is a write of the
 * channel of the socket that listens, which waits for room; to accept one is a read of it.  A connection that is not blocking is
 * made at once all the same, and that it is in progress is said as TCP does.
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "rt/calls/calls.h"
#include "rt/calls/effect.h"
#include "rt/calls/listed.h"
#include "rt/fault.h"
#include "rt/io/channel.h"
#include "rt/io/descriptor.h"
#include "rt/io/outside.h"
#include "rt/io/pipe.h"
#include "rt/io/socket.h"
#include "rt/loops/spin.h"
#include "rt/notes.h"
#include "rt/real.h"
#include "rt/rt.h"
#include "rt/sched/operation.h"
#include "rt/signal/delivery.h"
#include "rt/sync/object.h"
#include "rt/thread/cancel.h"
#include "rt/threads.h"
#include "rt/trace/log.h"
#include "rt/util.h"

static int fails(int error)
{
        errno = error;
        return -1;
}

static const struct effect takes_number[] = {{.state = STATE_DESCRIPTORS, .mode = WIRE_MODE_WRITE},
                                             {.mode = WIRE_MODE_WRITE, .taken = EFFECT_LOWEST}};

RT_EXPORT int socket(int domain, int type, int protocol)
{
        int fd;

        effect_perform(takes_number, 2, RT_SITE());
        fd = RT_REAL(socket)(domain, type, protocol);
        if (fd >= 0 && rt_cur && (type & 0xf) == SOCK_STREAM && (protocol == 0 || protocol == IPPROTO_TCP) &&
            (domain == AF_UNIX || domain == AF_INET || domain == AF_INET6))
                socket_made(fd, domain);
        return fd;
}

/* Addresses. */

static bool is_path(const struct socket_name *n)
{
        return n->any.sa_family == AF_UNIX && n->size > sizeof n->un.sun_family && n->un.sun_path[0];
}

/* An address of the program; false: not one of this kind. */
static bool read_name(struct socket_name *n, int domain, const struct sockaddr *a, socklen_t size)
{
        socklen_t least = domain == AF_INET ? sizeof n->in : domain == AF_INET6 ? sizeof n->in6 : sizeof(sa_family_t);

        rt_zero(n, sizeof *n);
        if (size < least || size > sizeof n->un || a->sa_family != domain)
                return false;
        n->size = domain == AF_UNIX ? size : least;
        rt_copy(&n->un, a, n->size);
        if (domain == AF_INET)
                rt_zero(n->in.sin_zero, sizeof n->in.sin_zero);
        if (!is_path(n))
                return true;
        for (size_t i = 0; i < sizeof n->un.sun_path; i++)
                if (!n->un.sun_path[i]) {
                        n->size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + i + 1);
                        return true;
                }
        return false;
}

/* Is it an address of this machine that other machines cannot reach, or that stands for all of them? */
static bool is_local(const struct socket_name *n)
{
        if (n->any.sa_family == AF_INET6)
                return IN6_IS_ADDR_LOOPBACK(&n->in6.sin6_addr) || IN6_IS_ADDR_UNSPECIFIED(&n->in6.sin6_addr);
        if (n->any.sa_family == AF_INET)
                return n->in.sin_addr.s_addr == 0 || ntohl(n->in.sin_addr.s_addr) >> 24 == 127;
        return true;
}

static uint16_t *port_in(struct socket_name *n)
{
        return n->any.sa_family == AF_INET6 ? &n->in6.sin6_port : &n->in.sin_port;
}

/* The name of one end: the address that the connection is made to, with this port. */
static struct socket_name end_name(const struct socket_name *to, uint16_t port)
{
        struct socket_name n = *to;

        if (n.any.sa_family == AF_INET && n.in.sin_addr.s_addr == 0)
                n.in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (n.any.sa_family == AF_INET6 && IN6_IS_ADDR_UNSPECIFIED(&n.in6.sin6_addr))
                n.in6.sin6_addr = in6addr_loopback;
        *port_in(&n) = port;
        return n;
}

static void tell_name(const struct socket_name *n, struct sockaddr *to, socklen_t *length, socklen_t room,
                      uintptr_t site)
{
        if (!to || !length)
                return;
        call_out(to, &n->any, room < n->size ? room : n->size, site);
        call_out(length, &n->size, sizeof *length, site);
}

/* bind. */

static int bind_unix(struct endpoint *s, struct socket_name *n)
{
        if (n->size == sizeof n->un.sun_family)
                rt_refuse("bind of a Unix socket without a name (give it one)");
        if (!is_path(n)) {
                if (socket_find(n, SOCKET_BOUND) || socket_find(n, SOCKET_LISTENS))
                        return fails(EADDRINUSE);
        } else {
                struct endpoint *old;

                if (RT_REAL(mknod)(n->un.sun_path, S_IFREG | 0777, 0))
                        return errno == EEXIST ? fails(EADDRINUSE) : -1;
                while ((old = socket_find(n, SOCKET_BOUND)) || (old = socket_find(n, SOCKET_LISTENS)))
                        old->replaced = true;
        }
        s->name = *n;
        s->phase = SOCKET_BOUND;
        return 0;
}

static int bind_inet(struct endpoint *s, struct socket_name *n)
{
        if (*port_in(n) == 0) {
                *port_in(n) = socket_port();
        } else if (socket_find(n, SOCKET_BOUND) || socket_find(n, SOCKET_LISTENS)) {
                if (s->shares_port)
                        rt_refuse("two sockets at one port (SO_REUSEPORT)");
                return fails(EADDRINUSE);
        }
        s->name = *n;
        s->phase = SOCKET_BOUND;
        return 0;
}

RT_EXPORT int bind(int fd, const struct sockaddr *a, socklen_t size)
{
        struct endpoint *s = rt_cur ? socket_at(fd) : NULL;
        const struct effect e[] = {EFFECT_CHANGE(effect_descriptor(fd)), EFFECT_CHANGE(STATE_ADDRESSES),
                                   EFFECT_CHANGE(STATE_NAMES)};
        struct socket_name n;

        if (rt_cur && !s)
                rt_note_incomplete(REASON_UNWATCHED, "sockets other than stream sockets");
        if (!s || !a || size > sizeof n.un)
                return (int)LISTED(bind, RT_SITE(), (uint64_t)fd, LISTED_POINTER(a), size);
        call_in(a, size, RT_SITE());
        if (!read_name(&n, s->domain, a, size) || !is_local(&n)) {
                s->phase = SOCKET_OUTSIDE;
                return (int)LISTED(bind, RT_SITE(), (uint64_t)fd, LISTED_POINTER(a), size);
        }
        effect_perform(e, is_path(&n) ? 3 : 2, RT_SITE());
        s = socket_at(fd);
        if (!s)
                return fails(EBADF);
        if (s->phase != SOCKET_FRESH)
                return fails(EINVAL);
        return s->domain == AF_UNIX ? bind_unix(s, &n) : bind_inet(s, &n);
}

/* A new Unix socket in place of one of another kind, and of one that the next execution needs as it is. */

static void move(void *arg, int fd)
{
        long flags = rt_syscall6(SYS_fcntl, fd, F_GETFD, 0, 0, 0, 0);

        descriptor_change(fd);
        rt_syscall6(SYS_dup3, *(int *)arg, fd, flags & FD_CLOEXEC ? O_CLOEXEC : 0, 0, 0, 0);
}

static void carry(struct endpoint *s, int fd)
{
        long flags = rt_syscall6(SYS_fcntl, fd, F_GETFL, 0, 0, 0, 0);
        int other;

        if (s->special)
                rt_refuse("SO_RCVTIMEO, SO_SNDTIMEO or SO_LINGER of a connection between threads");
        if (s->domain == AF_UNIX && !s->older)
                return;
        s->older = false;
        if (s->watched)
                rt_refuse("a socket that epoll watches before it is connected or listens (add it afterwards)");
        other = (int)rt_syscall6(SYS_socket, AF_UNIX, SOCK_STREAM | (flags & O_NONBLOCK ? SOCK_NONBLOCK : 0), 0, 0, 0,
                                 0);
        if (other < 0)
                rt_fault("a socket could not be made");
        socket_each(s, move, &other);
        rt_syscall6(SYS_close, other, 0, 0, 0, 0, 0);
}

static void put_end(void *arg, int fd)
{
        channel_put(fd, *(const struct channel_end *)arg);
}

RT_EXPORT int listen(int fd, int backlog)
{
        struct endpoint *s = rt_cur ? socket_at(fd) : NULL;
        const struct effect e[] = {EFFECT_CHANGE(effect_descriptor(fd)), EFFECT_CHANGE(STATE_ADDRESSES)};
        struct channel_end end = {.kind = CHANNEL_LISTENER};

        if (s)
                effect_perform(e, 2, RT_SITE());
        else if (rt_cur && fd >= 0)
                effect_perform(e, 1, RT_SITE());
        s = rt_cur ? socket_at(fd) : NULL;
        if (!s || s->phase == SOCKET_OUTSIDE || s->phase == SOCKET_CONNECTED)
                return RT_REAL(listen)(fd, backlog);
        if (s->phase == SOCKET_FRESH && s->domain == AF_UNIX)
                return fails(EINVAL);
        if (s->phase == SOCKET_LISTENS)
                rt_refuse("listen on a socket that listens already (call it once)");
        if (s->phase == SOCKET_FRESH) {
                s->name.any.sa_family = (sa_family_t)s->domain;
                s->name.size = s->domain == AF_INET ? sizeof s->name.in : sizeof s->name.in6;
                *port_in(&s->name) = socket_port();
        }
        carry(s, fd);
        s->backlog = backlog < 0 || backlog >= (int)SOCKET_WAITING ? (int)SOCKET_WAITING : backlog;
        if (socket_listen(s, fd))
                rt_fault("a socket could not listen");
        s->phase = SOCKET_LISTENS;
        s->channel = end.in = channel_new(CHANNEL_LISTENER);
        socket_each(s, put_end, &end);
        channel_look(end.in);
        return 0;
}

/* Operations on the channel of a socket that listens. */

static enum arrival arrive(struct thread *t, uint32_t op, uint64_t channel, const struct effect *e, unsigned n,
                           uintptr_t site)
{
        enum arrival how;

        t->turn.also_shared = effect_touch(t, e, n);
        delivery_begin(t, INTERRUPTS_RESTARTS, false);
        how = cancel_arrive(t, op, channel, 8, channel_object(channel), site);
        t->turn.also_shared = false;
        return how;
}

static void log_meeting(struct thread *t, enum arrival how, uint64_t channel, bool done)
{
        struct wire_event *e = op_log(t, how, done ? WIRE_MODE_WRITE : WIRE_MODE_READ, channel_object(channel)->state);

        if (done) {
                spin_progress(t);
        } else {
                e->flags |= WIRE_EV_FAILED;
                spin_read(t, channel, 8);
        }
        cancel_passed(t, how);
}

static bool is_nonblocking(int fd)
{
        return rt_syscall6(SYS_fcntl, fd, F_GETFL, 0, 0, 0, 0) & O_NONBLOCK;
}

/* The connection is there: the socket that listens gets the other end. */
static void connected(struct endpoint *s, struct endpoint *l, const struct socket_name *to)
{
        struct waiting *w = &l->waiting[l->n_waiting++];
        struct channel_end end = {
                .kind = CHANNEL_SOCKETS, .in = channel_new(CHANNEL_SOCKETS), .out = channel_new(CHANNEL_SOCKETS)};

        *w = (struct waiting){.in = end.out, .out = end.in, .to = l->name};
        if (s->domain != AF_UNIX) {
                uint16_t own = s->phase == SOCKET_BOUND ? *port_in(&s->name) : socket_port();

                s->peer = w->to = end_name(to, *port_in(&l->name));
                s->name = end_name(to, own);
        } else {
                if (s->phase == SOCKET_FRESH) {
                        s->name.size = sizeof(sa_family_t);
                        s->name.any.sa_family = AF_UNIX;
                }
                s->peer = l->name;
        }
        w->from = s->name;
        s->phase = SOCKET_CONNECTED;
        socket_each(s, put_end, &end);
        channel_look(end.in);
        channel_look(end.out);
}

/* Connects to a socket of the program.  False: it no longer listens, look again. */
static bool connect_to(int fd, struct endpoint *l, const struct socket_name *to, int *r, uintptr_t site)
{
        const struct effect e[] = {EFFECT_CHANGE(effect_descriptor(fd)), EFFECT_USE(STATE_ADDRESSES)};
        uint64_t channel = l->channel;
        bool try = is_nonblocking(fd), full;
        struct thread *t = rt_cur;
        enum arrival how = arrive(t, try ? OP_CHANNEL_TRY : OP_CHANNEL_WRITE, channel, e, 2, site);
        struct endpoint *s = socket_at(fd);

        if (delivery_interrupted(t)) {
                cancel_passed(t, how);
                *r = fails(EINTR);
                return true;
        }
        if (l->phase != SOCKET_LISTENS || l->channel != channel || !s) {
                log_meeting(t, how, channel, false);
                *r = fails(EBADF);
                return !s;
        }
        full = socket_is_full(channel);
        if (full && s->domain != AF_UNIX)
                rt_refuse("a non-blocking connect that the backlog has no room for (make it larger)");
        if (!full) {
                if (l->n_waiting == SOCKET_WAITING)
                        rt_refuse("more than 16 connections that wait to be accepted");
                carry(s, fd);
        }
        *r = RT_REAL(connect)(fd, &l->kernel.any, l->kernel.size);
        log_meeting(t, how, channel, !*r);
        effect_log(t, how, e, 2);
        if (*r)
                return true;
        connected(s, l, to);
        channel_used(t, how, channel);
        if (s->domain != AF_UNIX && try) {
                s->in_progress = true;
                *r = fails(EINPROGRESS);
        }
        return true;
}

/* No socket of the program listens there.  An address that one of them has is refused; another may be another process's. */
static int connect_outside(int fd, const struct socket_name *to, bool outside, const struct sockaddr *a, socklen_t size,
                           uintptr_t site)
{
        int r;

        if (!outside) {
                if (is_nonblocking(fd) && to->any.sa_family != AF_UNIX)
                        rt_refuse("a non-blocking connect to a socket that does not listen yet");
                return fails(ECONNREFUSED);
        }
        r = (int)LISTED(connect, site, (uint64_t)fd, LISTED_POINTER(a), size);
        if ((!r || errno == EINPROGRESS) && socket_at(fd))
                socket_at(fd)->phase = SOCKET_OUTSIDE;
        return r;
}

static int connect_any(int fd, const struct sockaddr *a, socklen_t size, uintptr_t site)
{
        const struct effect e[] = {EFFECT_USE(effect_descriptor(fd)), EFFECT_USE(STATE_ADDRESSES),
                                   EFFECT_USE(STATE_NAMES)};
        struct endpoint *s = rt_cur ? socket_at(fd) : NULL, *l;
        struct socket_name to;
        struct stat st;
        bool outside;
        int r;

        if (!s || !a || size > sizeof to.un)
                return (int)LISTED(connect, site, (uint64_t)fd, LISTED_POINTER(a), size);
        call_in(a, size, site);
        if (!read_name(&to, s->domain, a, size) || !is_local(&to) || s->phase == SOCKET_OUTSIDE)
                return (int)LISTED(connect, site, (uint64_t)fd, LISTED_POINTER(a), size);
        do {
                effect_perform(e, is_path(&to) ? 3 : 2, site);
                s = socket_at(fd);
                if (!s)
                        return fails(EBADF);
                if (s->phase == SOCKET_CONNECTED || s->phase == SOCKET_LISTENS) {
                        r = s->in_progress ? 0 : fails(EISCONN);
                        s->in_progress = false;
                        return r;
                }
                if (is_path(&to) && RT_REAL(stat)(to.un.sun_path, &st))
                        return -1;
                l = socket_find(&to, SOCKET_LISTENS);
                outside = is_path(&to) ? S_ISSOCK(st.st_mode) : !socket_find(&to, SOCKET_BOUND);
                if (!l)
                        return connect_outside(fd, &to, outside, a, size, site);
        } while (!connect_to(fd, l, &to, &r, site));
        return r;
}

RT_EXPORT int connect(int fd, const struct sockaddr *a, socklen_t size)
{
        int r = connect_any(fd, a, size, RT_SITE());

        if (rt_cur && a && (!r || errno == EINPROGRESS) && (!socket_at(fd) || socket_at(fd)->phase == SOCKET_OUTSIDE))
                rt_note_incomplete(REASON_OUTSIDE, "sockets of other processes");
        return outside_connected(fd, r);
}

/* accept. */

static int accept_from(int fd, int flags, struct socket_name *from, uintptr_t site)
{
        struct endpoint *l = socket_at(fd), *s;
        uint64_t channel = l->channel;
        struct thread *t = rt_cur;
        enum arrival how;
        int r;

        how = arrive(t, is_nonblocking(fd) ? OP_CHANNEL_TRY : OP_CHANNEL_READ, channel, takes_number, 2, site);
        if (delivery_interrupted(t)) {
                cancel_passed(t, how);
                return fails(EINTR);
        }
        log_meeting(t, how, channel, l->n_waiting > 0);
        if (l->n_waiting)
                effect_log(t, how, takes_number, 2);
        r = RT_REAL(accept4)(fd, NULL, NULL, flags);
        if (r >= 0) {
                const struct waiting w = l->waiting[0];

                l->n_waiting--;
                for (uint32_t i = 0; i < l->n_waiting; i++)
                        l->waiting[i] = l->waiting[i + 1];
                s = socket_made(r, l->domain);
                s->phase = SOCKET_CONNECTED;
                s->name = w.to;
                s->peer = *from = w.from;
                channel_put(r, (struct channel_end){.kind = CHANNEL_SOCKETS, .in = w.in, .out = w.out});
                channel_look(w.in);
                channel_look(w.out);
        }
        channel_used(t, how, channel);
        return r;
}

static bool listens_outside(int fd)
{
        int on = 0, size = sizeof on;

        return rt_syscall6(SYS_getsockopt, fd, SOL_SOCKET, SO_ACCEPTCONN, (long)&on, (long)&size, 0) == 0 && on;
}

static int accept_at(int fd, struct sockaddr *to, socklen_t *length, int flags, uintptr_t site)
{
        const struct endpoint *s;
        struct socket_name from;
        socklen_t room = 0;
        bool held;
        int r;

        if (!rt_cur)
                return RT_REAL(accept4)(fd, to, length, flags);
        if (to && length) {
                call_in(length, sizeof *length, site);
                room = *length;
        }
        if (fd >= 0)
                effect_one(EFFECT_USE(effect_descriptor(fd)), site);
        s = socket_at(fd);
        if (!s || s->phase != SOCKET_LISTENS) {
                if (listens_outside(fd))
                        rt_refuse("accept of connections from other processes (use a thread of the program)");
                return RT_REAL(accept4)(fd, NULL, NULL, flags);
        }
        held = channel_hold(&fd);
        r = accept_from(fd, flags, &from, site);
        if (held)
                channel_let_go(fd);
        if (r >= 0)
                tell_name(&from, to, length, room, site);
        return r;
}

RT_EXPORT int accept4(int fd, struct sockaddr *to, socklen_t *length, int flags)
{
        return accept_at(fd, to, length, flags, RT_SITE());
}

RT_EXPORT int accept(int fd, struct sockaddr *to, socklen_t *length)
{
        return accept_at(fd, to, length, 0, RT_SITE());
}
