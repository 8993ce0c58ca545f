/*
 * epoll.
 *
 * An instance is taken to watch every channel, and a cell (EPOLLS) that stands for what all instances watch and epoll_ctl
 * changes.  The events are the kernel's.  What is reported once (EPOLLONESHOT), at edges (EPOLLET) or not for lack of room changes
 * the instance, so the call that reports it changes the cell, too.
 */
#include <signal.h>
#include <sys/epoll.h>

#include "rt/calls/calls.h"
#include "rt/calls/effect.h"
#include "rt/io/channel.h"
#include "rt/io/instances.h"
#include "rt/io/poll.h"
#include "rt/io/polled.h"
#include "rt/io/socket.h"
#include "rt/loops/spin.h"
#include "rt/real.h"
#include "rt/sched/arrival.h"
#include "rt/sched/operation.h"
#include "rt/thread/cancel.h"
#include "rt/signal/mask_calls.h"
#include "rt/threads.h"
#include "rt/trace/log.h"

static bool takes_events; /* some execution watched something that is reported once, or at edges */

struct epoll_call {
        int fd, max;
        struct epoll_event *events;
};

static int look_epoll(void *arg)
{
        const struct epoll_call *c = arg;

        return RT_REAL(epoll_wait)(c->fd, c->events, c->max, 0);
}

static uint64_t takes(void *arg, int r)
{
        const struct epoll_call *c = arg;

        return r > 0 && (takes_events || r == c->max) ? EPOLLS : 0;
}

/* The array is the runtime's. */
static int epoll_copy(struct epoll_call *c, int timeout, uintptr_t site)
{
        struct question q = {NULL, 0, timeout < 0 ? -1 : timeout, look_epoll, takes, c};

        if (channel_any())
                return poll_ask(&q, site);
        cancel_point(site);
        spin_progress(rt_cur);
        return RT_REAL(epoll_wait)(c->fd, c->events, c->max, timeout);
}

static int epoll_at(struct epoll_call *c, int timeout, uintptr_t site)
{
        int max = c->max > 0 && c->max < (int)MOST_POLLED ? c->max : (int)MOST_POLLED;
        struct epoll_event *events = c->events, copy[max];
        int r;

        if (c->max > 0)
                *c = (struct epoll_call){c->fd, max, copy};
        r = epoll_copy(c, timeout, site);
        if (r > 0)
                call_out(events, copy, (size_t)r * sizeof *copy, site);
        return r;
}

RT_EXPORT int epoll_wait(int fd, struct epoll_event *events, int max, int timeout)
{
        struct epoll_call c = {fd, max, events};

        return rt_cur ? epoll_at(&c, timeout, RT_SITE()) : RT_REAL(epoll_wait)(fd, events, max, timeout);
}

RT_EXPORT int epoll_pwait(int fd, struct epoll_event *events, int max, int timeout, const sigset_t *mask)
{
        struct epoll_call c = {fd, max, events};
        sigset_t old;
        bool lent;
        int r;

        if (!rt_cur)
                return RT_REAL(epoll_pwait)(fd, events, max, timeout, mask);
        lent = mask_lend(mask, &old, RT_SITE());
        r = epoll_at(&c, timeout, RT_SITE());
        if (lent)
                mask_take_back(&old, RT_SITE());
        return r;
}

static const struct effect takes_number[] = {{.state = STATE_DESCRIPTORS, .mode = WIRE_MODE_WRITE},
                                             {.mode = WIRE_MODE_WRITE, .taken = EFFECT_LOWEST}};

static int created(int fd)
{
        if (rt_cur && !rt.live && fd >= 0)
                epoll_made(fd);
        return fd;
}

RT_EXPORT int epoll_create1(int flags)
{
        effect_perform(takes_number, 2, RT_SITE());
        return created(RT_REAL(epoll_create1)(flags));
}

RT_EXPORT int epoll_create(int size)
{
        effect_perform(takes_number, 2, RT_SITE());
        return created(RT_REAL(epoll_create)(size));
}

RT_EXPORT int epoll_ctl(int epfd, int op, int fd, struct epoll_event *event)
{
        const struct effect used[] = {EFFECT_USE(effect_descriptor(epfd)), EFFECT_USE(effect_descriptor(fd))};
        struct thread *t = rt_cur;
        enum arrival how;
        int r;

        if (!t)
                return RT_REAL(epoll_ctl)(epfd, op, fd, event);
        call_in(op != EPOLL_CTL_DEL ? event : NULL, sizeof *event, RT_SITE());
        t->turn.also_shared = effect_touch(t, used, 2);
        how = op_arrive(t, OP_CHANNEL_WATCH, EPOLLS, 8, NULL, RT_SITE());
        t->turn.also_shared = false;
        op_log(t, how, WIRE_MODE_WRITE, 0);
        effect_log(t, how, used, 2);
        r = RT_REAL(epoll_ctl)(epfd, op, fd, event);
        if (r == 0 && op != EPOLL_CTL_DEL && event && (event->events & (EPOLLONESHOT | EPOLLET)))
                takes_events = true;
        if (r == 0 && socket_at(fd))
                socket_at(fd)->watched = true;
        if (r == 0 && !rt.live)
                epoll_watched(epfd, op, fd, event);
        channel_used(t, how, EPOLLS);
        return r;
}
