/* See timer_fd.h. */
#include "rt/io/timer_fd.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>

#include "rt/calls/calls.h"
#include "rt/calls/effect.h"
#include "rt/fault.h"
#include "rt/io/channel.h"
#include "rt/memory/shadow.h"
#include "rt/notes.h"
#include "rt/real.h"
#include "rt/sched/end.h"
#include "rt/sched/operation.h"
#include "rt/sync/object.h"
#include "rt/threads.h"
#include "rt/trace/log.h"
#include "rt/util.h"
#include "rt/world/time.h"

static struct timer_fd *timer_of(uint64_t channel)
{
        for (uint32_t i = 0; i < EX_TIMERS; i++)
                if (ex.timer_fds[i].channel == channel)
                        return &ex.timer_fds[i];
        return NULL;
}

static struct timer_fd *timer_at(int fd)
{
        const struct channel_end *e = channel_at(fd);

        return e && e->kind == CHANNEL_TIMER ? timer_of(e->in) : NULL;
}

static bool is_over(uint64_t channel)
{
        return (channel_object(channel)->state & OP_CHANNEL_READABLE) != 0;
}

/* It ends.  fd: its eventfd. */
static void end(struct thread *t, struct timer_fd *f, int fd)
{
        uint64_t times = 1;

        if (f->at > t->clock.vtime)
                t->clock.vtime = f->at;
        if (f->interval) {
                times += (t->clock.vtime - f->at) / f->interval;
                f->at += times * f->interval;
        } else {
                f->at = TIMER_FD_NEVER;
        }
        f->looked = false;
        rt_syscall6(SYS_write, fd, (long)&times, sizeof times, 0, 0, 0);
}

/* A free place; those of timers that were closed are. */
static struct timer_fd *place(void)
{
        for (uint32_t i = 0; i < EX_TIMERS; i++) {
                struct timer_fd *f = &ex.timer_fds[i];
                int fd = channel_next(0, CHANNEL_TIMER);

                while (f->channel && fd >= 0 && channel_at(fd)->in != f->channel)
                        fd = channel_next(fd + 1, CHANNEL_TIMER);
                if (!f->channel || fd < 0)
                        return f;
        }
        return NULL;
}

RT_EXPORT int timerfd_create(int clock, int flags)
{
        const struct effect e[] = {EFFECT_CHANGE(STATE_DESCRIPTORS), EFFECT_TAKES(EFFECT_LOWEST)};
        struct timer_fd *f;
        int fd;

        if (!rt_cur)
                return RT_REAL(timerfd_create)(clock, flags);
        snapshot_ensure();
        effect_perform(e, 2, RT_SITE());
        f = place();
        if (!f)
                rt_refuse("more than 8 timers of timerfd_create at once");
        fd = RT_REAL(eventfd)(0, flags & (EFD_NONBLOCK | EFD_CLOEXEC));
        if (fd < 0)
                return fd;
        channel_made(CHANNEL_TIMER, fd, -1, 0);
        *f = (struct timer_fd){.channel = channel_at(fd)->in, .at = TIMER_FD_NEVER, .clock = clock};
        return fd;
}

static struct itimerspec spec_of(const struct timer_fd *f)
{
        uint64_t now = rt_cur->clock.vtime, left = f->at == TIMER_FD_NEVER ? 0 : f->at > now ? f->at - now : 1;

        return (struct itimerspec){{(time_t)(f->interval / NSEC), (long)(f->interval % NSEC)},
                                   {(time_t)(left / NSEC), (long)(left % NSEC)}};
}

/* Does a thread wait for it already?  Then nothing but its end lets that thread continue. */
static bool is_awaited(int fd, uint64_t channel)
{
        for (uint32_t i = 0; i < ex.n_threads; i++) {
                const struct thread *w = &threads[i];
                const struct pollfd *p = w->poll.fds;

                if (w->state != WIRE_T_READY)
                        continue;
                if (w->pend.op == OP_CHANNEL_READ && w->pend.obj == channel)
                        return true;
                if (w->poll.waiting && w->poll.all)
                        return true;
                for (uint32_t k = 0; w->poll.waiting && k < w->poll.n; k++)
                        if (p[k].fd == fd)
                                return true;
        }
        return false;
}

static enum arrival arrive(struct timer_fd *f, uint32_t op, uintptr_t site)
{
        return op_arrive(rt_cur, op, f->channel, 8, channel_object(f->channel), site);
}

RT_EXPORT int timerfd_settime(int fd, int flags, const struct itimerspec *new, struct itimerspec *old)
{
        struct timer_fd *f = rt_cur ? timer_at(fd) : NULL;
        struct itimerspec was;
        uint64_t ns, interval, now, away;
        enum arrival how;

        if (rt_cur)
                call_in(new, sizeof *new, RT_SITE());
        if (!f)
                return RT_REAL(timerfd_settime)(fd, flags, new, old);
        ns = time_joined(&new->it_value);
        interval = time_joined(&new->it_interval);
        if (ns == UINT64_MAX || interval == UINT64_MAX) {
                errno = EINVAL;
                return -1;
        }
        how = arrive(f, OP_TIMER_SET, RT_SITE());
        op_log(rt_cur, how, WIRE_MODE_WRITE, channel_object(f->channel)->state);
        was = spec_of(f);
        if (is_over(f->channel))
                rt_syscall6(SYS_read, fd, (long)&away, sizeof away, 0, 0, 0);
        now = time_base(f->clock) + rt_cur->clock.vtime;
        if (ns && flags & TFD_TIMER_ABSTIME)
                ns = ns > now ? ns - now : 1;
        f->at = ns ? rt_cur->clock.vtime + ns : TIMER_FD_NEVER;
        f->interval = interval;
        f->looked = false;
        if (ns && is_awaited(fd, f->channel))
                end(rt_cur, f, fd);
        channel_used(rt_cur, how, f->channel);
        call_out(old, &was, sizeof was, RT_SITE());
        return 0;
}

RT_EXPORT int timerfd_gettime(int fd, struct itimerspec *now)
{
        struct timer_fd *f = rt_cur ? timer_at(fd) : NULL;
        struct itimerspec is;
        enum arrival how;

        if (!f)
                return RT_REAL(timerfd_gettime)(fd, now);
        how = arrive(f, OP_TIMER_SET, RT_SITE());
        op_log(rt_cur, how, WIRE_MODE_READ, channel_object(f->channel)->state);
        is = spec_of(f);
        call_out(now, &is, sizeof is, RT_SITE());
        return 0;
}

void timer_fd_read(int fd, uintptr_t site)
{
        struct timer_fd *f = timer_at(fd);
        enum arrival how;
        bool tries;

        if (!f)
                return;
        how = arrive(f, OP_TIMER_END, site);
        tries = (rt_syscall6(SYS_fcntl, fd, F_GETFL, 0, 0, 0, 0) & O_NONBLOCK) && f->at > rt_cur->clock.vtime;
        if (f->at == TIMER_FD_NEVER || is_over(f->channel) || (tries && !f->looked)) {
                f->looked = f->at != TIMER_FD_NEVER;
                op_log(rt_cur, how, WIRE_MODE_WRITE, channel_object(f->channel)->state);
                return;
        }
        if (tries)
                rt_note_incomplete(REASON_TIMEOUT_ROUNDS, NULL);
        op_log(rt_cur, how, WIRE_MODE_WRITE, channel_object(f->channel)->state);
        end(rt_cur, f, fd);
        channel_used(rt_cur, how, f->channel);
}

uint64_t timer_fd_next(const struct pollfd *fds, uint32_t n)
{
        uint64_t next = TIMER_FD_NEVER;
        uint32_t count = fds ? n : CHANNEL_MAX_FD;

        if (!ex.timer_fds[0].channel)
                return next;
        for (uint32_t i = 0; i < count; i++) {
                const struct timer_fd *f = timer_at(fds ? fds[i].fd : (int)i);

                if (f && f->at < next)
                        next = f->at;
        }
        return next;
}

void timer_fd_pass(struct thread *t, enum arrival how, const struct pollfd *fds, uint32_t n, uint64_t now)
{
        uint32_t count = fds ? n : CHANNEL_MAX_FD;

        for (uint32_t i = 0; i < count; i++) {
                int fd = fds ? fds[i].fd : (int)i;
                struct timer_fd *f = timer_at(fd);

                if (!f || f->at > now || is_over(f->channel))
                        continue;
                op_also(t, how, OP_TIMER_END, f->channel, 8, WIRE_MODE_WRITE, channel_object(f->channel)->state);
                end(t, f, fd);
                channel_used(t, how, f->channel);
        }
}
