/*
 * The table of channels, their states, and their part of the snapshot.
 *
 * Descriptors of channels are not backed up when the program closes them (descriptor.c), because the copy would keep the
 * other side from seeing the end.  Instead a channel that lost a descriptor is made again for the next execution, with
 * what was in it at the snapshot.
 */
#include "rt/io/channel.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "rt/fault.h"
#include "rt/trace/log.h"
#include "rt/sync/object.h"
#include "rt/threads.h"
#include "rt/util.h"
#include "rt/io/signal_object.h"
#include "rt/io/socket.h"

struct made { /* a pair, or an eventfd, that was there at the snapshot */
        uint8_t kind;
        int type;         /* of sockets */
        uint64_t value;   /* of an eventfd */
        uint64_t in, out; /* of its first end */
        bool lost;        /* a descriptor of it was closed, or its ends were changed in another way */
};

#define MAX_MADE 64

static struct channel_end ends[CHANNEL_MAX_FD], saved[CHANNEL_MAX_FD];
static int n_ends, n_saved; /* the highest descriptor + 1 */
static struct made made[MAX_MADE];
static uint32_t n_made;

const struct channel_end *channel_at(int fd)
{
        return fd >= 0 && fd < n_ends && ends[fd].kind ? &ends[fd] : NULL;
}

struct object *channel_object(uint64_t channel)
{
        return object_get((const void *)channel, OP_OBJ_CHANNEL);
}

void channel_put(int fd, struct channel_end e)
{
        if (fd < 0 || fd >= CHANNEL_MAX_FD)
                rt_refuse("pipes with descriptors above 1023");
        ends[fd] = e;
        if (fd >= n_ends)
                n_ends = fd + 1;
}

static short ready(int fd, short events)
{
        struct pollfd p = {.fd = fd, .events = events};

        rt_syscall6(SYS_poll, (long)&p, 1, 0, 0, 0, 0);
        return p.revents;
}

void channel_look(uint64_t channel)
{
        struct object *o = channel_object(channel);
        bool readable = true, writable = true;

        for (int fd = 0; fd < n_ends; fd++) {
                if (ends[fd].kind && ends[fd].in == channel)
                        readable = ready(fd, POLLIN) != 0;
                if (ends[fd].kind && ends[fd].out == channel) {
                        writable = ready(fd, POLLOUT) != 0;
                        readable = readable && (ends[fd].in == channel || socket_is_ready(channel));
                }
        }
        if (socket_is_full(channel))
                writable = false;
        o->state = (readable ? OP_CHANNEL_READABLE : 0) | (writable ? OP_CHANNEL_WRITABLE : 0);
}

int channel_next(int fd, enum channel_kind kind)
{
        while (fd < n_ends && ends[fd].kind != kind)
                fd++;
        return fd < n_ends ? fd : -1;
}

uint64_t channel_new(enum channel_kind kind)
{
        struct thread *t = rt_cur;

        if (t->channel.n_made == WIRE_MAX_CHANNELS - SIGNAL_CHANNELS)
                rt_refuse("more than 952 pipes made by one thread");
        return WIRE_OBJ_CHANNEL(t->id, t->channel.n_made++) | OP_CHANNEL_IS(kind);
}

void channel_made(enum channel_kind kind, int a, int b, int flags)
{
        struct channel_end first = {.kind = (uint8_t)kind, .in = channel_new(kind)}, second = {.kind = (uint8_t)kind};

        if (kind == CHANNEL_PIPE) {
                second.out = first.in;
        } else if (kind == CHANNEL_EVENT || kind == CHANNEL_TIMER || kind == CHANNEL_SIGNALS) {
                first.out = first.in;
                first.packets = true;
                first.semaphore = (flags & 1) != 0;
        } else {
                first.out = second.in = channel_new(kind);
                second.out = first.in;
                first.packets = second.packets = (flags & 0xf) != SOCK_STREAM;
        }
        channel_put(a, first);
        if (b >= 0)
                channel_put(b, second);
        channel_look(first.in);
        if (first.out && first.out != first.in)
                channel_look(first.out);
}

void channel_duplicated(int from, int to)
{
        const struct channel_end *e = channel_at(from);

        if (e)
                channel_put(to, *e);
}

static void lose(const struct channel_end *e)
{
        for (uint32_t i = 0; i < n_made; i++) {
                if (made[i].in != e->in && made[i].in != e->out)
                        continue;
                made[i].lost = true;
        }
}

void channel_changed(int fd)
{
        if (channel_at(fd))
                lose(channel_at(fd));
}

bool channel_any(void)
{
        for (int fd = 0; fd < n_ends; fd++)
                if (ends[fd].kind)
                        return true;
        return false;
}

void channel_closed(int fd)
{
        struct channel_end e;

        if (!channel_at(fd))
                return;
        e = ends[fd];
        lose(&e);
        ends[fd].kind = CHANNEL_NONE;
        if (e.in)
                channel_look(e.in);
        if (e.out)
                channel_look(e.out);
}

static bool watches(const struct thread *w, uint64_t channel)
{
        const struct pollfd *p = w->poll.fds;

        if (w->poll.all)
                return true;
        for (uint32_t i = 0; p && i < w->poll.n; i++) {
                const struct channel_end *e = channel_at(p[i].fd);
                if ((e && (e->in == channel || e->out == channel)) || signal_object_of(p[i].fd) == channel)
                        return true;
        }
        return false;
}

void channel_used(struct thread *t, enum arrival how, uint64_t channel)
{
        struct object *o = channel_object(channel);

        channel_look(channel);
        if (o->vtime > t->clock.vtime)
                t->clock.vtime = o->vtime;
        o->vtime = t->clock.vtime;
        for (uint32_t i = 0; i < ex.n_threads; i++) {
                struct thread *w = &threads[i];
                if (w->state != WIRE_T_READY || w->wait.signalled || !w->poll.waiting || w->cancel.interrupted ||
                    !watches(w, channel))
                        continue; /* a thread that is to end continues anyway */
                w->wait.signalled = 1;
                if (t->clock.vtime > w->clock.vtime)
                        w->clock.vtime = t->clock.vtime;
                op_also(t, how, OP_WAKE, WIRE_OBJ_THREAD(i), 8, WIRE_MODE_NONE, 0)->choice = i;
        }
}

/* The snapshot. */

static uint64_t drain(int fd, bool event)
{
        char away[4096];
        uint64_t sum = 0;

        while (ready(fd, POLLIN) & POLLIN) {
                uint64_t value = 0;
                long r = event ? rt_syscall6(SYS_read, fd, (long)&value, sizeof value, 0, 0, 0)
                               : rt_syscall6(SYS_read, fd, (long)away, sizeof away, 0, 0, 0);
                if (r <= 0)
                        break;
                sum += value;
        }
        return sum;
}

static void fill_event(int fd, uint64_t value)
{
        if (value)
                rt_syscall6(SYS_write, fd, (long)&value, sizeof value, 0, 0, 0);
}

static int socket_type(int fd)
{
        int type = SOCK_STREAM, size = sizeof type;

        rt_syscall6(SYS_getsockopt, fd, SOL_SOCKET, SO_TYPE, (long)&type, (long)&size, 0);
        return type;
}

static bool known(const struct channel_end *e)
{
        for (uint32_t i = 0; i < n_made; i++)
                if (made[i].in == e->in || made[i].in == e->out || (made[i].out && made[i].out == e->in))
                        return true;
        return false;
}

void channel_save(void)
{
        n_made = 0;
        for (int fd = 0; fd < n_ends; fd++) {
                const struct channel_end *e = &ends[fd];
                struct made *m = &made[n_made];

                if (!e->kind || known(e))
                        continue;
                if (n_made == MAX_MADE)
                        rt_fault("the program has more than 64 pipes when its first thread is created");
                n_made++;
                *m = (struct made){.kind = e->kind, .in = e->in ? e->in : e->out, .out = e->in ? e->out : 0};
                if (e->kind == CHANNEL_SOCKETS)
                        m->type = socket_type(fd);
                if (e->kind == CHANNEL_EVENT) {
                        m->type = e->semaphore ? 1 : 0;
                        m->value = drain(fd, true);
                        fill_event(fd, m->value);
                }
        }
        rt_copy(saved, ends, sizeof ends);
        n_saved = n_ends;
}

/* Makes both ends, out of the way of the program's numbers. */
static void make_again(const struct made *m, int pair[2])
{
        int fd[2] = {-1, -1};

        if (m->kind == CHANNEL_PIPE)
                rt_syscall6(SYS_pipe2, (long)fd, 0, 0, 0, 0, 0);
        else if (m->kind == CHANNEL_LISTENER)
                fd[0] = socket_again(m->in);
        else if (m->kind == CHANNEL_SOCKETS)
                rt_syscall6(SYS_socketpair, AF_UNIX, m->type, 0, (long)fd, 0, 0);
        else
                fd[0] = (int)rt_syscall6(SYS_eventfd2, (long)m->value, m->type, 0, 0, 0, 0);
        for (int i = 0; i < 2; i++) {
                pair[i] = fd[i] < 0 ? -1 : (int)rt_syscall6(SYS_fcntl, fd[i], F_DUPFD, CHANNEL_MAX_FD / 2, 0, 0, 0);
                if (fd[i] >= 0)
                        rt_syscall6(SYS_close, fd[i], 0, 0, 0, 0, 0);
        }
        if (pair[0] < 0)
                rt_fault("a pipe could not be made again");
}

/* All descriptors of either end do so again. */
static void remake(const struct made *m)
{
        int pair[2];

        make_again(m, pair);
        for (int fd = 0; fd < n_saved; fd++) {
                const struct channel_end *e = &saved[fd];

                if (!e->kind)
                        continue;
                if (e->in == m->in)
                        rt_syscall6(SYS_dup3, pair[0], fd, 0, 0, 0, 0);
                else if (e->out == m->in)
                        rt_syscall6(SYS_dup3, pair[1], fd, 0, 0, 0, 0);
        }
        for (int i = 0; i < 2; i++)
                if (pair[i] >= 0)
                        rt_syscall6(SYS_close, pair[i], 0, 0, 0, 0, 0);
}

static void empty(const struct made *m)
{
        for (int fd = 0; fd < n_saved; fd++) {
                const struct channel_end *e = &saved[fd];

                if (!e->kind || !e->in || (e->in != m->in && e->in != m->out))
                        continue;
                if (m->kind == CHANNEL_LISTENER) {
                        socket_drain(fd);
                        return;
                }
                drain(fd, m->kind == CHANNEL_EVENT);
                if (m->kind == CHANNEL_EVENT) {
                        fill_event(fd, m->value);
                        return;
                }
        }
}

bool channel_restore(bool all)
{
        bool any = false;

        socket_restore();
        for (uint32_t i = 0; i < n_made; i++) {
                if (made[i].lost || all) {
                        remake(&made[i]);
                        any = true;
                } else if (made[i].kind != CHANNEL_PIPE) { /* what is in pipes is descriptor.c's */
                        empty(&made[i]);
                }
                made[i].lost = false;
        }
        if (n_ends || n_saved)
                rt_copy(ends, saved, (size_t)(n_ends > n_saved ? n_ends : n_saved) * sizeof *ends);
        n_ends = n_saved;
        return any;
}
