/*
 * Timers whose signal the program handles or accepts: alarm, setitimer, timer_create.
 *
 * A timer that runs is a message that was sent when it was set (delivery.h): it arrives at any later point of the receiver, whose clock
 * then shows at least the time at which the timer ends.  A thread that sleeps past that time, or waits, is interrupted.  Timers whose signal has
 * its default action are the kernel's.
 */
#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "rt/calls/calls.h"
#include "rt/calls/effect.h"
#include "rt/calls/listed.h"
#include "rt/fault.h"
#include "rt/io/signal_wait.h"
#include "rt/real.h"
#include "rt/sched/end.h"
#include "rt/sched/operation.h"
#include "rt/threads.h"
#include "rt/trace/log.h"
#include "rt/util.h"
#include "rt/signal/delivery.h"
#include "rt/world/own_signals.h"
#include "rt/world/time.h"

#define ITIMER      1u /* the number of the timer of alarm and setitimer; those of timer_create follow */
#define MICRO       1000u
#define FIRST_TIMER 2u

static bool is_modelled(int sig)
{
        return rt_cur && !signal_is_own(sig) && (signal_caught(sig) || (rt_cur->signals.mask & signal_bit(sig)));
}

static struct signal_message *message_of(uint32_t timer)
{
        for (uint32_t i = 0; i < ex.n_messages; i++)
                if (ex.messages[i].timer == timer)
                        return &ex.messages[i];
        return NULL;
}

/* How long the timer still runs, 0: it does not. */
static uint64_t left_of(uint32_t timer, uint64_t *interval)
{
        const struct signal_message *m = message_of(timer);
        uint64_t now = rt_cur->clock.vtime;

        *interval = m ? m->interval : 0;
        return !m ? 0 : m->at > now ? m->at - now : 1;
}

/* It no longer runs. */
static void disarm(uint32_t timer, uintptr_t site)
{
        struct signal_message *m = message_of(timer);
        struct thread *t = rt_cur, *n;
        enum arrival how;

        if (!m)
                return;
        n = &threads[m->owner];
        how = op_arrive(t, OP_SIGNAL_MASK, SIGNAL_CELL(m->owner), 8, NULL, site);
        op_log(t, how, WIRE_MODE_WRITE, n->signals.ready);
        m = message_of(timer);
        if (!m)
                return;
        *m = ex.messages[--ex.n_messages];
        delivery_count(n);
}

static void arm(uint32_t timer, int sig, uint64_t value, uint64_t ns, uint64_t interval, uintptr_t site)
{
        struct signal_message m = {
                .sig = (uint8_t)sig, .timer = (uint16_t)timer, .value = value, .interval = interval, .at = ns};

        snapshot_ensure();
        disarm(timer, site);
        if (ns)
                signal_send_process(&m, site);
}

static uint64_t micro_of(const struct timeval *v)
{
        return (uint64_t)v->tv_sec * NSEC + (uint64_t)v->tv_usec * MICRO;
}

static struct timeval timeval_of(uint64_t ns)
{
        return (struct timeval){(time_t)(ns / NSEC), (suseconds_t)(ns % NSEC / MICRO)};
}

RT_EXPORT unsigned alarm(unsigned seconds)
{
        const struct effect changes = EFFECT_CHANGE(STATE_TIMER);
        uint64_t interval, left;

        if (!is_modelled(SIGALRM)) {
                effect_one(changes, RT_SITE());
                return RT_REAL(alarm)(seconds);
        }
        left = left_of(ITIMER, &interval);
        arm(ITIMER, SIGALRM, 0, (uint64_t)seconds * NSEC, 0, RT_SITE());
        return (unsigned)((left + NSEC - 1) / NSEC);
}

RT_EXPORT int setitimer(__itimer_which_t which, const struct itimerval *new, struct itimerval *old)
{
        const struct effect changes = EFFECT_CHANGE(STATE_TIMER);
        uint64_t interval, left;
        struct itimerval was;

        if (which != ITIMER_REAL || !is_modelled(SIGALRM)) {
                effect_one(changes, RT_SITE());
                return RT_REAL(setitimer)(which, new, old);
        }
        call_in(new, sizeof *new, RT_SITE());
        left = left_of(ITIMER, &interval);
        was = (struct itimerval){timeval_of(interval), timeval_of(left)};
        arm(ITIMER, SIGALRM, 0, micro_of(&new->it_value), micro_of(&new->it_interval), RT_SITE());
        if (old)
                call_out(old, &was, sizeof was, RT_SITE());
        return 0;
}

RT_EXPORT int getitimer(__itimer_which_t which, struct itimerval *now)
{
        const struct effect uses = EFFECT_USE(STATE_TIMER);
        uint64_t interval, left;
        struct itimerval is;

        if (which != ITIMER_REAL || !is_modelled(SIGALRM)) {
                effect_one(uses, RT_SITE());
                return (int)LISTED(getitimer, RT_SITE(), (uint64_t)which, LISTED_POINTER(now));
        }
        left = left_of(ITIMER, &interval);
        is = (struct itimerval){timeval_of(interval), timeval_of(left)};
        call_out(now, &is, sizeof is, RT_SITE());
        return 0;
}

/* Timers of timer_create.  Their handles are numbers from 1 on. */

RT_EXPORT int timer_create(clockid_t clock, struct sigevent *how, timer_t *timer)
{
        const struct effect changes = EFFECT_CHANGE(STATE_TIMER);
        struct signal_timer new = {.there = true, .sig = SIGALRM, .clock = clock};
        uint32_t i = 0;
        timer_t handle;

        if (!rt_cur)
                return RT_REAL(timer_create)(clock, how, timer);
        snapshot_ensure();
        effect_one(changes, RT_SITE());
        if (how && how->sigev_notify != SIGEV_SIGNAL)
                rt_refuse("timer_create without SIGEV_SIGNAL (call the handler from a thread)");
        if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC && clock != CLOCK_BOOTTIME)
                rt_refuse("timer_create with a clock of processor time (use CLOCK_MONOTONIC)");
        while (i < EX_TIMERS && ex.timers[i].there)
                i++;
        if (i == EX_TIMERS)
                rt_refuse("more than 8 timers at once");
        if (how) {
                call_in(how, sizeof *how, RT_SITE());
                new.sig = (uint8_t)how->sigev_signo;
                new.value = (uint64_t)(uintptr_t)how->sigev_value.sival_ptr;
        } else {
                new.value = i + 1;
        }
        ex.timers[i] = new;
        handle = (timer_t)(uintptr_t)(i + 1);
        call_out(timer, &handle, sizeof handle, RT_SITE());
        return 0;
}

/* The number of a timer, EX_TIMERS: there is none. */
static uint32_t timer_at(timer_t timer)
{
        uintptr_t i = (uintptr_t)timer - 1;

        if (i < EX_TIMERS && ex.timers[i].there)
                return (uint32_t)i;
        errno = EINVAL;
        return EX_TIMERS;
}

static struct itimerspec spec_of(uint32_t i)
{
        uint64_t interval, left = left_of(FIRST_TIMER + i, &interval);

        return (struct itimerspec){{(time_t)(interval / NSEC), (long)(interval % NSEC)},
                                   {(time_t)(left / NSEC), (long)(left % NSEC)}};
}

RT_EXPORT int timer_settime(timer_t timer, int flags, const struct itimerspec *new, struct itimerspec *old)
{
        struct itimerspec was;
        uint64_t ns, now;
        uint32_t i;

        if (!rt_cur)
                return RT_REAL(timer_settime)(timer, flags, new, old);
        i = timer_at(timer);
        if (i == EX_TIMERS)
                return -1;
        call_in(new, sizeof *new, RT_SITE());
        was = spec_of(i);
        ns = time_joined(&new->it_value);
        now = time_base(ex.timers[i].clock) + rt_cur->clock.vtime;
        if (ns && flags & TIMER_ABSTIME)
                ns = ns > now ? ns - now : 1;
        if (ns && !is_modelled(ex.timers[i].sig))
                rt_refuse("timer_settime for a signal without a handler (install the handler first)");
        arm(FIRST_TIMER + i, ex.timers[i].sig, ex.timers[i].value, ns, time_joined(&new->it_interval), RT_SITE());
        if (old)
                call_out(old, &was, sizeof was, RT_SITE());
        return 0;
}

RT_EXPORT int timer_gettime(timer_t timer, struct itimerspec *now)
{
        struct itimerspec is;
        uint32_t i;

        if (!rt_cur)
                return RT_REAL(timer_gettime)(timer, now);
        i = timer_at(timer);
        if (i == EX_TIMERS)
                return -1;
        is = spec_of(i);
        call_out(now, &is, sizeof is, RT_SITE());
        return 0;
}

RT_EXPORT int timer_getoverrun(timer_t timer)
{
        if (!rt_cur)
                return RT_REAL(timer_getoverrun)(timer);
        return timer_at(timer) == EX_TIMERS ? -1 : 0;
}

RT_EXPORT int timer_delete(timer_t timer)
{
        const struct effect changes = EFFECT_CHANGE(STATE_TIMER);
        uint32_t i;

        if (!rt_cur)
                return RT_REAL(timer_delete)(timer);
        i = timer_at(timer);
        if (i == EX_TIMERS)
                return -1;
        disarm(FIRST_TIMER + i, RT_SITE());
        effect_one(changes, RT_SITE());
        ex.timers[i].there = false;
        return 0;
}
