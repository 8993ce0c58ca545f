/*
 * Signal actions, the signal mask and the alternate stack, as far as they are the program's.
 *
 * The runtime keeps some signals for itself (signal_is_own): it turns crashes into failures.  A program's own handler for
 * one is remembered and reported back, but never installed: signal.c calls it.  Those signals are never blocked either,
 * and other handlers never run on the alternate stack: there may be a switch to another thread in one.
 *
 * Each thread has a mask of its own.  The kernel has that of the one that runs; a signal that a thread sends to itself
 * and blocks waits here.  One to the process goes to a thread that runs and does not block it.
 *
 * Before the snapshot the calls of libc are interposed; afterwards trap.c brings the system calls.
 */
#include "rt/io/signal_fd.h"
#include "rt/world/signal_state.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "rt/calls/calls.h"
#include "rt/calls/effect.h"
#include "rt/calls/listed.h"
#include "rt/real.h"
#include "rt/threads.h"
#include "rt/util.h"
#include "rt/world/access_fault.h"
#include "rt/sched/end.h"
#include "rt/signal/delivery.h"
#include "rt/signal/mask_calls.h"
#include "rt/world/mask.h"
#include "rt/world/own_signals.h"
#include "rt/world/program_handler.h"

#define LIBC_FIRST 32 /* what libc uses between its own threads */
#define LIBC_LAST  33

static struct signal_action pretended[SIGNALS], saved_pretended[SIGNALS]; /* of our own signals */
static struct signal_action saved[SIGNALS];                               /* of the others */
static uint64_t changed;                                                  /* a bit for each signal since the snapshot */
static uint64_t saved_mask, saved_pending;
static bool pretence_changed;
static bool handlers; /* the program has some: they change the mask behind our back */
static stack_t own_stack, saved_stack;
static stack_t pretended_stack = {.ss_flags = SS_DISABLE};

static bool has_handler(const struct signal_action *a)
{
        return a->handler != SIG_DFL && a->handler != SIG_IGN;
}

static void note_faults(void)
{
        signal_faults = has_handler(&pretended[SIGSEGV]) || has_handler(&pretended[SIGBUS]);
}

static long kernel_action(int sig, const struct signal_action *new, struct signal_action *old)
{
        return rt_syscall6(SYS_rt_sigaction, sig, (long)new, (long)old, 8, 0, 0);
}

/* The same, as the program sees it. */
static long program_action(int sig, struct signal_action *new, struct signal_action *old)
{
        struct signal_action before = {0};
        long r = kernel_action(sig, NULL, &before);

        if (r)
                return r;
        program_handler_unwrap(sig, &before);
        if (new &&has_handler(new) && !(sig >= LIBC_FIRST && sig <= LIBC_LAST)) {
                handlers = true;
                program_handler_wrap(sig, new);
        }
        r = new ? kernel_action(sig, new, NULL) : 0;
        if (!r && old)
                *old = before;
        return r;
}

static long change(int sig, const struct signal_action *new, struct signal_action *old)
{
        struct signal_action a;

        if (signal_is_own(sig)) {
                a = pretended[sig];
                if (new) {
                        pretended[sig] = *new;
                        pretence_changed = true;
                        note_faults();
                }
                if (old)
                        *old = a;
                return 0;
        }
        if (!new)
                return program_action(sig, NULL, old);
        a = *new;
        a.flags &= ~(uint64_t)SA_ONSTACK;
        a.mask &= ~signal_own_set();
        if (sig > 0 && sig < SIGNALS)
                changed |= signal_bit(sig);
        return program_action(sig, &a, old);
}

bool signal_take_handler(int sig, struct signal_action *a)
{
        if (!has_handler(&pretended[sig]))
                return false;
        *a = pretended[sig];
        if (a->flags & SA_RESETHAND)
                pretended[sig].handler = SIG_DFL;
        pretence_changed |= (a->flags & SA_RESETHAND) != 0;
        return true;
}

uintptr_t signal_program_stack(void)
{
        return pretended_stack.ss_sp && !(pretended_stack.ss_flags & SS_DISABLE)
                       ? (uintptr_t)pretended_stack.ss_sp + pretended_stack.ss_size
                       : 0;
}

long signal_call_action(const long *a)
{
        if (a[3] != 8)
                return -EINVAL;
        return change((int)a[0], (const struct signal_action *)a[1], (struct signal_action *)a[2]);
}

void signal_abort(void)
{
        if (has_handler(&pretended[SIGABRT]))
                rt_syscall6(SYS_tgkill, rt_syscall6(SYS_getpid, 0, 0, 0, 0, 0, 0),
                            rt_syscall6(SYS_gettid, 0, 0, 0, 0, 0, 0), SIGABRT, 0, 0, 0);
}

bool signal_blocked(struct thread *t, int sig)
{
        if (sig <= 0 || sig >= SIGNALS || !(t->signals.mask & signal_bit(sig)))
                return false;
        t->signals.pending |= signal_bit(sig);
        signal_fd_changed(t, ARRIVE_INNER, sig, true);
        return true;
}

/* Messages to the process that all threads blocked go to the first that no longer does. */
static void take_unblocked(struct thread *t)
{
        for (uint32_t i = 0; i < ex.n_messages; i++)
                if (ex.messages[i].owner == SIGNAL_PROCESS && !(t->signals.mask & signal_bit(ex.messages[i].sig)))
                        ex.messages[i].owner = t->id;
        delivery_settle(t);
        t->signals.due |= t->signals.ready != 0;
}

long signal_call_mask(struct thread *t, const long *a, uint64_t *mask)
{
        const uint64_t *set = (const uint64_t *)a[1];
        uint64_t before = *mask;

        if (a[3] != 8)
                return -EINVAL;
        if (set && a[0] == SIG_BLOCK)
                *mask |= *set;
        else if (set && a[0] == SIG_UNBLOCK)
                *mask &= ~*set;
        else if (set && a[0] == SIG_SETMASK)
                *mask = *set;
        else if (set)
                return -EINVAL;
        *mask &= ~signal_own_set();
        signal_mask_changed = true;
        if (a[2])
                *(uint64_t *)a[2] = before;
        if (t) {
                t->signals.mask = *mask;
                take_unblocked(t);
                if (t->signals.pending & ~t->signals.mask)
                        signal_deliver_pending(t);
        }
        return 0;
}

long signal_call_stack(const long *a)
{
        stack_t before = pretended_stack;

        if (a[0]) {
                pretended_stack = *(const stack_t *)a[0];
                pretence_changed = true;
        }
        if (a[1])
                *(stack_t *)a[1] = before;
        return 0;
}

static void save_stack(void)
{
        stack_t now = {0};

        rt_syscall6(SYS_sigaltstack, 0, (long)&now, 0, 0, 0, 0);
        signal_own_stack(&own_stack);
        if (now.ss_sp != own_stack.ss_sp)
                pretended_stack = now;
        saved_stack = pretended_stack;
        rt_syscall6(SYS_sigaltstack, (long)&own_stack, 0, 0, 0, 0, 0);
}

void signal_save(void)
{
        uint64_t mask;

        save_stack();
        for (int sig = 1; sig < SIGNALS; sig++) {
                if (signal_is_own(sig)) {
                        kernel_action(sig, NULL, &saved[sig]);
                        if (!signal_is_installed(&saved[sig]))
                                pretended[sig] = saved[sig];
                        continue;
                }
                kernel_action(sig, NULL, &saved[sig]);
                if (has_handler(&saved[sig])) {
                        change(sig, &saved[sig], NULL);
                        kernel_action(sig, NULL, &saved[sig]);
                }
        }
        signal_install();
        rt_copy(saved_pretended, pretended, sizeof pretended);
        program_handler_save();
        changed = 0;
        rt_syscall6(SYS_rt_sigprocmask, SIG_BLOCK, 0, (long)&saved_mask, 8, 0, 0);
        mask = saved_mask & ~signal_own_set();
        rt_syscall6(SYS_rt_sigprocmask, SIG_SETMASK, (long)&mask, 0, 8, 0, 0);
        saved_mask = threads[0].signals.mask = mask;
        rt_syscall6(SYS_rt_sigpending, (long)&saved_pending, 8, 0, 0, 0, 0);
}

/* What came while it was blocked must not come in the next execution: ignoring a signal takes it away. */
static void drop_pending(void)
{
        static const struct signal_action ignore = {.handler = SIG_IGN};
        uint64_t pending = 0;

        rt_syscall6(SYS_rt_sigpending, (long)&pending, 8, 0, 0, 0, 0);
        pending &= ~saved_pending & ~signal_own_set();
        for (int sig = 1; pending && sig < SIGNALS; sig++)
                if (pending & signal_bit(sig)) {
                        kernel_action(sig, &ignore, NULL);
                        changed |= signal_bit(sig);
                }
}

bool signal_is_unchanged(void)
{
        return !changed && !signal_mask_changed && !pretence_changed && !handlers;
}

void signal_restore(bool all)
{
        if (all || signal_mask_changed || handlers)
                drop_pending();
        for (int sig = 1; (all || changed) && sig < SIGNALS; sig++)
                if (!signal_is_own(sig) && (all || (changed & signal_bit(sig))))
                        kernel_action(sig, &saved[sig], NULL);
        if (all)
                signal_install();
        program_handler_restore();
        if (pretence_changed) {
                rt_copy(pretended, saved_pretended, sizeof pretended);
                pretended_stack = saved_stack;
                note_faults();
        }
        if (all)
                rt_syscall6(SYS_sigaltstack, (long)&own_stack, 0, 0, 0, 0, 0);
        if (all || signal_mask_changed || handlers)
                rt_syscall6(SYS_rt_sigprocmask, SIG_SETMASK, (long)&saved_mask, 0, 8, 0, 0);
        changed = 0;
        signal_mask_changed = pretence_changed = false;
}

static bool pretend(int sig)
{
        return rt.target && sig > 0 && sig < SIGNALS && signal_is_own(sig);
}

static uint32_t signal_state(int sig)
{
        return STATE_SIGNAL + (uint32_t)sig % SIGNALS;
}

RT_EXPORT int sigaction(int sig, const struct sigaction *new, struct sigaction *old)
{
        struct signal_action before;
        struct sigaction was;
        enum arrival how;
        int r;

        how = effect_one(new ? EFFECT_CHANGE(signal_state(sig)) : EFFECT_USE(signal_state(sig)), RT_SITE());
        if (!pretend(sig)) {
                r = (int)LISTED(sigaction, RT_SITE(), (uint64_t)sig, LISTED_POINTER(new), LISTED_POINTER(old));
                if (!r && new &&rt_cur)
                        delivery_action(rt_cur, how, sig);
                return r;
        }
        call_in(new, sizeof *new, RT_SITE());
        before = pretended[sig];
        if (new) {
                pretence_changed = true;
                pretended[sig].handler = new->sa_handler;
                pretended[sig].flags = (uint64_t) new->sa_flags;
                rt_copy(&pretended[sig].mask, &new->sa_mask, 8);
                note_faults();
        }
        rt_zero(&was, sizeof was);
        was.sa_handler = before.handler;
        was.sa_flags = (int)before.flags;
        rt_copy(&was.sa_mask, &before.mask, 8);
        call_out(old, &was, sizeof was, RT_SITE());
        return 0;
}

typedef void (*signal_handler)(int);

RT_EXPORT signal_handler signal(int sig, signal_handler handler)
{
        static __typeof__(signal) *real;
        signal_handler before;
        enum arrival how;

        how = effect_one(EFFECT_CHANGE(signal_state(sig)), RT_SITE());
        if (!pretend(sig)) {
                if (!real)
                        real = rt_real("signal");
                before = real(sig, handler);
                if (before != SIG_ERR && rt_cur)
                        delivery_action(rt_cur, how, sig);
                return before;
        }
        before = pretended[sig].handler;
        pretence_changed = true;
        pretended[sig] = (struct signal_action){.handler = handler, .flags = SA_RESTART};
        note_faults();
        return before;
}

RT_EXPORT int raise(int sig)
{
        int r;

        effect_one(EFFECT_USE(signal_state(sig)), RT_SITE());
        if (rt_cur && sig > 0 && sig < SIGNALS && (rt_cur->signals.mask & signal_bit(sig)))
                snapshot_ensure(); /* it waits for what follows */
        if (rt_cur && rt.live && signal_blocked(rt_cur, sig))
                return 0;
        if (signal_caught(sig))
                mask_handler(RT_SITE());
        r = RT_REAL(raise)(sig);
        if (rt_cur)
                delivery_settled(rt_cur); /* what the handler has blocked */
        return r;
}
