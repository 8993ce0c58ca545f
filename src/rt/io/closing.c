/* Closing the ends of channels, and other calls that change them. */
#include "rt/io/pipe.h"

#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "rt/calls/effect.h"
#include "rt/calls/stream.h"
#include "rt/io/channel.h"
#include "rt/io/instances.h"
#include "rt/io/socket.h"
#include "rt/io/socket_end.h"
#include "rt/memory/shadow.h"
#include "rt/real.h"
#include "rt/sched/arrival.h"
#include "rt/sched/operation.h"
#include "rt/sync/object.h"
#include "rt/thread/cancel.h"
#include "rt/threads.h"
#include "rt/trace/log.h"

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
        struct effect e[4] = {EFFECT_CHANGE(effect_descriptor(fd)), EFFECT_ADD(STATE_DESCRIPTORS)};
        struct channel_end was = {0};
        unsigned n = 2;
        int r;

        if (rt_cur && fd >= 0) {
                if (contents || from >= 0)
                        e[n++] = contents ? *contents : EFFECT_USE(effect_descriptor(from));
                if (socket_closes_name(fd))
                        e[n++] = EFFECT_CHANGE(STATE_ADDRESSES);
                ends_use(fd, OP_CHANNEL_CLOSE, e, n, site);
                socket_closing(fd);
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
        if (rt_cur)
                socket_closed(fd, (enum arrival)rt_cur->channel.closing_how);
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
        if (was.kind && !r && how != SHUT_RD)
                socket_filled(was.out);
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
