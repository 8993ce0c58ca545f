/*
 * Waiting for several descriptors: poll, select, and what epoll (epoll.c) has in common with them.
 *
 * A poll looks at all its channels in one step.  Where nothing is ready it waits until one of them is used, and looks
 * again; it is like a loop that reads until something changes.  With a timeout (timed.h) it never waits under `explore`:
 * that it comes later in the execution is how it waits, and where nothing is ready at its turn, the time is up.  What is
 * not a channel is asked of the kernel without waiting.
 */
#include "rt/io/poll.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/select.h>
#include <time.h>

#include "rt/arch/x86_64/stub.h"
#include "rt/calls/calls.h"
#include "rt/calls/effect.h"
#include "rt/fault.h"
#include "rt/memory/shadow.h"
#include "rt/real.h"
#include "rt/sched/arrival.h"
#include "rt/trace/log.h"
#include "rt/sched/operation.h"
#include "rt/loops/spin.h"
#include "rt/thread/cancel.h"
#include "rt/sync/object.h"
#include "rt/sync/timed.h"
#include "rt/threads.h"
#include "rt/util.h"
#include "rt/io/channel.h"
#include "rt/world/clock.h"
#include "rt/signal/delivery.h"
#include "rt/signal/mask_calls.h"
#include "rt/io/polled.h"
#include "rt/io/signal_fd.h"
#include "rt/io/signal_object.h"
#include "rt/io/timer_fd.h"

struct tally {
        struct thread *t;
        enum arrival how;
        uint64_t first;
        bool shared;
};

static void touch(void *arg, uint64_t channel)
{
        struct tally *y = arg;

        if (!y->first)
                y->first = channel;
        y->shared |= rt.live && shadow_touch(y->t, channel, 8);
}

static void add_read(void *arg, uint64_t channel)
{
        struct tally *y = arg;

        spin_read(y->t, channel, 8);
        if (channel != y->first)
                op_also(y->t, y->how, OP_CHANNEL_POLL, channel, 8, WIRE_MODE_READ, channel_object(channel)->state);
}

/* The numbers that are asked about are used. */
static void each_number(const struct question *q, struct thread *t, bool *shared, enum arrival how)
{
        for (uint32_t i = 0; q->fds && i < q->n; i++) {
                const struct effect e = EFFECT_USE(effect_descriptor(q->fds[i].fd));

                if (q->fds[i].fd < 0)
                        continue;
                if (shared)
                        *shared |= effect_touch(t, &e, 1);
                else
                        effect_log(t, how, &e, 1);
        }
}

/* One look, in its turn.  ends: timers that end by then do so if nothing is found. */
static int look_once(struct thread *t, const struct question *q, uint64_t ends, uintptr_t site)
{
        struct tally y = {.t = t};
        uint64_t taken;
        int r;

        polled_each(q->fds, q->n, touch, &y);
        each_number(q, t, &y.shared, ARRIVE_PRIVATE);
        t->turn.also_shared = y.shared;
        delivery_begin(t, t->poll.lent ? INTERRUPTS_ONLY : INTERRUPTS_ALWAYS, q->timeout > 0 || ends != TIMER_FD_NEVER);
        y.how = cancel_arrive(t, OP_CHANNEL_POLL, y.first, 8, NULL, site);
        if (delivery_interrupted(t)) {
                t->poll.waiting = t->wait.let_go = false;
                t->wait.deadline = RT_NO_DEADLINE;
                cancel_passed(t, y.how);
                errno = EINTR;
                return -1;
        }
        t->poll.waiting = false;
        t->wait.deadline = RT_NO_DEADLINE;
        op_log(t, y.how, WIRE_MODE_READ, channel_object(y.first)->state)->flags |= t->wait.let_go ? WIRE_EV_LAST : 0;
        cancel_passed(t, y.how);
        polled_each(q->fds, q->n, add_read, &y);
        each_number(q, t, NULL, y.how);
        r = q->look(q->arg);
        if (!r && ends != TIMER_FD_NEVER && (t->wait.timer_looks || t->wait.let_go || ends <= t->clock.vtime)) {
                t->wait.let_go = false;
                timer_fd_pass(t, y.how, q->fds, q->n, ends);
                timed_count(t);
                r = q->look(q->arg);
        }
        if (r)
                spin_progress(t);
        taken = q->takes ? q->takes(q->arg, r) : 0;
        if (taken)
                op_also(t, y.how, taken == EPOLLS ? OP_CHANNEL_WATCH : OP_SIGNAL_TAKE, taken, 8, WIRE_MODE_WRITE, 0);
        if (taken && taken != EPOLLS)
                signal_fd_changed(t, y.how, signal_of_object(taken), false);
        return r;
}

int poll_ask(const struct question *q, uintptr_t site)
{
        struct thread *t = rt_cur;
        struct timed d = {.at = t->clock.vtime + (uint64_t)q->timeout * 1000000,
                          .looks = q->timeout == 0 || (q->timeout > 0 && timed_explored(t, site))};
        uint64_t ends;
        int r;

        for (;;) {
                ends = timer_fd_next(q->fds, q->n);
                if (q->timeout >= 0 && ends > d.at)
                        ends = TIMER_FD_NEVER;
                t->wait.timer_looks = ends != TIMER_FD_NEVER && q->timeout != 0 && timed_explored(t, site);
                r = look_once(t, q, ends, site);
                if (r) {
                        t->wait.let_go = false;
                        return r;
                }
                if (q->timeout >= 0 && (d.looks || t->wait.let_go || t->clock.vtime >= d.at)) {
                        timed_pass(t, NULL, &d);
                        return 0;
                }
                t->wait.deadline = !rt.stuck                ? RT_NO_DEADLINE
                                   : ends != TIMER_FD_NEVER ? ends
                                   : q->timeout > 0         ? d.at
                                                            : RT_NO_DEADLINE;
                t->poll.waiting = true;
                t->poll.fds = q->fds;
                t->poll.n = q->n;
                t->poll.all = !q->fds;
                t->wait.signalled = 0;
        }
}

static bool any_channel(const struct pollfd *fds, nfds_t n)
{
        for (nfds_t i = 0; i < n; i++)
                if (channel_at(fds[i].fd))
                        return true;
        return false;
}

struct poll_call {
        struct pollfd *fds;
        nfds_t n;
};

static int look_poll(void *arg)
{
        const struct poll_call *c = arg;

        return RT_REAL(poll)(c->fds, c->n, 0);
}

/* Of many, the first ones. */
static unsigned some_numbers(const struct pollfd *fds, nfds_t n, struct effect *e)
{
        unsigned k = 0;

        for (nfds_t i = 0; i < n && k < EFFECT_MAX; i++)
                if (fds[i].fd >= 0)
                        e[k++] = EFFECT_USE(effect_descriptor(fds[i].fd));
        return k;
}

/* Without a channel no thread of the program can make anything ready.  The array is the runtime's. */
static int poll_copy(struct pollfd *fds, nfds_t n, int timeout, uintptr_t site)
{
        struct poll_call c = {fds, n};
        struct question q = {fds, (uint32_t)n, timeout < 0 ? -1 : timeout, look_poll, NULL, &c};
        struct effect used[EFFECT_MAX];

        if (any_channel(fds, n))
                return poll_ask(&q, site);
        if (n == 0 && timeout < 0)
                rt_refuse("poll or select without descriptors and without a timeout (use a semaphore)");
        if (n == 0) {
                if (!clock_sleep((uint64_t)timeout * 1000000, site))
                        return 0;
                errno = EINTR;
                return -1;
        }
        cancel_point(site);
        spin_progress(rt_cur);
        effect_perform(used, some_numbers(fds, n, used), site);
        return RT_REAL(poll)(fds, n, timeout);
}

static int poll_at(struct pollfd *fds, nfds_t n, int timeout, uintptr_t site)
{
        struct pollfd copy[n < MOST_POLLED ? n + 1 : 1];
        int r;

        if (n >= MOST_POLLED)
                rt_refuse("poll of more than 4096 descriptors (poll fewer)");
        call_in(fds, n * sizeof *fds, site);
        rt_copy(copy, fds, n * sizeof *fds);
        r = poll_copy(copy, n, timeout, site);
        for (nfds_t i = 0; r >= 0 && i < n; i++)
                call_out(&fds[i].revents, &copy[i].revents, sizeof copy[i].revents, site);
        return r;
}

RT_STUB(poll, channel_poll, "default")
int channel_poll(struct pollfd *fds, nfds_t n, int timeout) __attribute__((used, visibility("hidden")));
int channel_poll(struct pollfd *fds, nfds_t n, int timeout)
{
        return rt_cur ? poll_at(fds, n, timeout, RT_STUB_SITE()) : RT_REAL(poll)(fds, n, timeout);
}

/* Rounded up; a timeout that is there never becomes 0 or none. */
static int milliseconds(const struct timespec *ts)
{
        if (!ts)
                return -1;
        if (ts->tv_sec > 1000000)
                return 1000000000;
        return (int)(ts->tv_sec * 1000 + (ts->tv_nsec + 999999) / 1000000);
}

RT_EXPORT int ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask)
{
        sigset_t old;
        bool lent;
        int r;

        if (!rt_cur)
                return RT_REAL(ppoll)(fds, n, timeout, mask);
        call_in(timeout, sizeof *timeout, RT_SITE());
        lent = mask_lend(mask, &old, RT_SITE());
        r = poll_at(fds, n, milliseconds(timeout), RT_SITE());
        if (lent)
                mask_take_back(&old, RT_SITE());
        return r;
}

struct sets {
        fd_set *set[3];
        short events[3];
};

static int to_poll(const struct sets *s, int n, struct pollfd *fds)
{
        int k = 0;

        for (int fd = 0; fd < n; fd++) {
                short events = 0;
                for (int i = 0; i < 3; i++)
                        if (s->set[i] && FD_ISSET(fd, s->set[i]))
                                events |= s->events[i];
                if (events)
                        fds[k++] = (struct pollfd){.fd = fd, .events = events};
        }
        return k;
}

static int from_poll(const struct sets *s, const struct pollfd *fds, int n)
{
        int count = 0;

        for (int i = 0; i < 3; i++)
                if (s->set[i])
                        FD_ZERO(s->set[i]);
        for (int k = 0; k < n; k++)
                for (int i = 0; i < 3; i++) {
                        short wanted = s->events[i] | (i == 0 ? POLLHUP | POLLERR : i == 1 ? POLLERR : 0);
                        if (!s->set[i] || !(fds[k].events & s->events[i]) || !(fds[k].revents & wanted))
                                continue;
                        FD_SET(fds[k].fd, s->set[i]);
                        count++;
                }
        return count;
}

static int select_at(int n, fd_set *r, fd_set *w, fd_set *x, int timeout, uintptr_t site)
{
        fd_set *const program[3] = {r, w, x}, copy[3];
        struct sets s = {{NULL}, {POLLIN, POLLOUT, POLLPRI}};
        struct pollfd fds[FD_SETSIZE];
        size_t size = ((size_t)n + 63) / 64 * 8;
        int k, result;

        if (n < 0 || n > FD_SETSIZE) {
                errno = EINVAL;
                return -1;
        }
        for (int i = 0; i < 3; i++)
                if (program[i]) {
                        call_in(program[i], size, site);
                        rt_copy(&copy[i], program[i], size);
                        s.set[i] = &copy[i];
                }
        k = to_poll(&s, n, fds);
        result = poll_copy(fds, (nfds_t)k, timeout, site);
        if (result < 0)
                return result;
        for (int i = 0; i < k; i++)
                if (fds[i].revents & POLLNVAL) {
                        errno = EBADF;
                        return -1;
                }
        result = from_poll(&s, fds, k);
        for (int i = 0; i < 3; i++)
                call_out(program[i], &copy[i], size, site);
        return result;
}

RT_EXPORT int select(int n, fd_set *r, fd_set *w, fd_set *x, struct timeval *timeout)
{
        struct timespec ts;

        if (!rt_cur)
                return RT_REAL(select)(n, r, w, x, timeout);
        call_in(timeout, sizeof *timeout, RT_SITE());
        if (timeout)
                ts = (struct timespec){timeout->tv_sec, timeout->tv_usec * 1000};
        return select_at(n, r, w, x, milliseconds(timeout ? &ts : NULL), RT_SITE());
}

RT_EXPORT int pselect(int n, fd_set *r, fd_set *w, fd_set *x, const struct timespec *timeout, const sigset_t *mask)
{
        sigset_t old;
        bool lent;
        int k;

        if (!rt_cur)
                return RT_REAL(pselect)(n, r, w, x, timeout, mask);
        call_in(timeout, sizeof *timeout, RT_SITE());
        lent = mask_lend(mask, &old, RT_SITE());
        k = select_at(n, r, w, x, milliseconds(timeout), RT_SITE());
        if (lent)
                mask_take_back(&old, RT_SITE());
        return k;
}
