/*
 * The mask of a thread as an operation, and calls that wait for a handler: pthread_sigmask, sigsuspend, pause, sleep.
 *
 * Whether a signal finds it blocked depends on the order of the two, so the mask is part of the cell of the thread (delivery.h).
 */
#include "rt/signal/mask_calls.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "rt/calls/calls.h"
#include "rt/calls/listed.h"
#include "rt/real.h"
#include "rt/sched/end.h"
#include "rt/sched/operation.h"
#include "rt/sync/object.h"
#include "rt/thread/cancel.h"
#include "rt/threads.h"
#include "rt/trace/log.h"
#include "rt/util.h"
#include "rt/world/own_signals.h"
#include "rt/io/signal_object.h"
#include "rt/memory/shadow.h"
#include "rt/world/time.h"
#include "rt/signal/delivery.h"

static void change_begins(struct thread *t, uintptr_t site)
{
        enum arrival how;

        for (int sig = 1; sig < SIGNALS; sig++) /* it may accept what waits for the process */
                t->turn.also_shared |= shadow_touch(t, signal_object(SIGNAL_PROCESS, sig), 8);
        how = op_arrive(t, OP_SIGNAL_MASK, SIGNAL_CELL(t->id), 8, NULL, site);
        t->turn.also_shared = false;
        op_log(t, how, WIRE_MODE_WRITE, t->signals.ready);
        for (int sig = 1; sig < SIGNALS; sig++)
                if (shadow_is_shared(signal_object(SIGNAL_PROCESS, sig)))
                        op_also(t, how, OP_SIGNAL_TAKE, signal_object(SIGNAL_PROCESS, sig), 8, WIRE_MODE_WRITE, 0);
}

static bool is_event(void)
{
        return RT_UNLIKELY(rt.sends_signals) && rt_cur && rt.live;
}

#define MASK_CALL(name)                                                                                    \
        RT_EXPORT int name(int how, const sigset_t *set, sigset_t *old)                                    \
        {                                                                                                  \
                int r;                                                                                     \
                                                                                                           \
                if (is_event() && set)                                                                     \
                        change_begins(rt_cur, RT_SITE());                                                  \
                r = (int)LISTED(name, RT_SITE(), (uint64_t)how, LISTED_POINTER(set), LISTED_POINTER(old)); \
                if (is_event())                                                                            \
                        delivery_now(rt_cur);                                                              \
                return r;                                                                                  \
        }
MASK_CALL(sigprocmask)
MASK_CALL(pthread_sigmask)
#undef MASK_CALL

void mask_swap(const sigset_t *set, sigset_t *old, uintptr_t site)
{
        change_begins(rt_cur, site);
        RT_REAL(pthread_sigmask)(SIG_SETMASK, set, old);
        delivery_settled(rt_cur);
}

bool mask_lend(const sigset_t *set, sigset_t *old, uintptr_t site)
{
        if (!set || !is_event())
                return false;
        call_in(set, 8, site);
        mask_swap(set, old, site);
        rt_cur->poll.lent = true;
        return true;
}

void mask_take_back(const sigset_t *old, uintptr_t site)
{
        int error = errno;

        rt_cur->poll.lent = false;
        mask_swap(old, NULL, site);
        delivery_now(rt_cur);
        errno = error;
}

void mask_handler(uintptr_t site)
{
        if (is_event())
                change_begins(rt_cur, site);
}

void mask_await(uint64_t set, uintptr_t site)
{
        struct thread *t = rt_cur;

        if (is_event() && set & ~t->signals.mask)
                change_begins(t, site);
        t->signals.awaited = set & ~t->signals.mask;
        delivery_count(t);
}

/* Waits until a handler has run. */
static int wait_for_handler(enum interrupts how, uintptr_t site)
{
        struct thread *t = rt_cur;
        struct object *o = object_get((const void *)SIGNAL_CELL(t->id), OP_OBJ_CHANNEL);
        enum arrival arrived;

        snapshot_ensure();
        delivery_begin(t, how, false);
        arrived = cancel_arrive(t, OP_SIGNAL_WAIT, o->addr, 8, o, site);
        cancel_passed(t, arrived);
        delivery_interrupted(t);
        errno = EINTR;
        return -1;
}

RT_EXPORT int pause(void)
{
        return rt_cur ? wait_for_handler(INTERRUPTS_ALWAYS, RT_SITE()) : RT_REAL(pause)();
}

RT_EXPORT int sigsuspend(const sigset_t *set)
{
        sigset_t old;

        if (!rt_cur)
                return RT_REAL(sigsuspend)(set);
        snapshot_ensure();
        call_in(set, 8, RT_SITE());
        mask_swap(set, &old, RT_SITE());
        wait_for_handler(INTERRUPTS_ONLY, RT_SITE());
        mask_swap(&old, NULL, RT_SITE());
        delivery_now(rt_cur);
        errno = EINTR;
        return -1;
}

uint64_t signal_sleep(struct thread *t, uint64_t ns, uintptr_t site)
{
        uint64_t until = ns < FOREVER - t->clock.vtime ? t->clock.vtime + ns : FOREVER;
        enum arrival how;

        delivery_begin(t, INTERRUPTS_ALWAYS, false);
        t->signals.until = until;
        how = op_arrive(t, OP_PREEMPT, 0, 0, NULL, site);
        if (delivery_interrupted(t))
                return until > t->clock.vtime ? until - t->clock.vtime : 1;
        op_log(t, how, WIRE_MODE_NONE, 0);
        return 0;
}
