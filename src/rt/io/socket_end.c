/*
 * See socket_end.h.
 *
 * TCP differs from Unix sockets when one side closes: the other can still write once, and is answered by a reset.  So the end of a
 * TCP connection that is closed with nothing left in it is kept by the runtime, shut down, until the other side has written.
 */
#include "rt/io/socket_end.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include "rt/io/channel.h"
#include "rt/io/descriptor.h"
#include "rt/io/socket.h"
#include "rt/memory/shadow.h"
#include "rt/sync/object.h"
#include "rt/threads.h"
#include "rt/trace/log.h"
#include "rt/util.h"

_Static_assert(SOCKET_MAX_FD == CHANNEL_MAX_FD, "the tables have the same descriptors");

/* The end that the runtime keeps, of which this channel is read; -1: none. */
static int kept_end(uint64_t channel)
{
        for (int fd = socket_next_kept(0); fd >= 0; fd = socket_next_kept(fd + 1))
                if (channel_at(fd) && channel_at(fd)->in == channel)
                        return fd;
        return -1;
}

static void drop(int fd)
{
        char away[4096];

        while (rt_syscall6(SYS_recvfrom, fd, (long)away, sizeof away, MSG_DONTWAIT, 0, 0) > 0)
                ;
        rt_syscall6(SYS_close, fd, 0, 0, 0, 0, 0);
        socket_keep(fd, false);
        channel_closed(fd);
}

void socket_closing(int fd)
{
        const struct endpoint *s = socket_at(fd);
        const struct channel_end *e = channel_at(fd);
        int unread = 0, copy;

        if (!s || !e || s->phase != SOCKET_CONNECTED || !socket_is_carried(s) || !socket_is_last(fd))
                return;
        if (kept_end(e->out) >= 0) {
                drop(kept_end(e->out));
                return;
        }
        rt_syscall6(SYS_ioctl, fd, FIONREAD, (long)&unread, 0, 0, 0);
        if (unread)
                return;
        copy = (int)rt_syscall6(SYS_fcntl, fd, F_DUPFD_CLOEXEC, CHANNEL_MAX_FD / 2, 0, 0, 0);
        if (copy < 0)
                return;
        descriptor_opened(copy);
        rt_syscall6(SYS_shutdown, copy, SHUT_WR, 0, 0, 0, 0);
        socket_filled(e->out);
        channel_duplicated(fd, copy);
        socket_keep(copy, true);
}

static void reset_end(struct thread *t, enum arrival how, uint64_t channel)
{
        if (how != ARRIVE_PRIVATE)
                shadow_touch(t, channel, 8);
        op_also(t, how, OP_CHANNEL_CLOSE, channel, 8, WIRE_MODE_WRITE, channel_object(channel)->state);
        channel_used(t, how, channel);
}

void socket_closed(int fd, enum arrival how)
{
        struct endpoint *s = socket_at(fd);

        if (!s)
                return;
        if (socket_is_last(fd)) {
                s->phase = SOCKET_FREE;
                for (uint32_t i = 0; i < s->n_waiting; i++) {
                        reset_end(rt_cur, how, s->waiting[i].in);
                        reset_end(rt_cur, how, s->waiting[i].out);
                }
        }
        socket_forget(fd);
}

void socket_written(struct thread *t, enum arrival how, uint64_t channel)
{
        int fd = kept_end(channel);
        uint64_t back;

        socket_filled(channel);
        if (fd < 0)
                return;
        back = channel_at(fd)->out;
        drop(fd);
        reset_end(t, how, back);
}
