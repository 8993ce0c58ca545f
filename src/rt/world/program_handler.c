/*
 * See program_handler.h.
 *
 * The kernel blocks signals while a handler runs, and all threads share its mask.  A thread may be switched away from inside a
 * handler, so its mask must say what is blocked there: our handler sets it before the program's handler runs and afterwards.
 */
#include "rt/world/program_handler.h"

#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include "rt/threads.h"
#include "rt/util.h"
#include "rt/signal/delivery.h"
#include "rt/world/own_signals.h"

typedef void (*plain_handler)(int);
typedef void (*info_handler)(int, siginfo_t *, void *);

static struct signal_action actions[SIGNALS], saved_actions[SIGNALS]; /* of those that wrap() replaced */
static bool changed;                                                  /* since the snapshot */
static bool saved_any;
bool program_handler_any;

static uint64_t *context_mask(ucontext_t *uc)
{
        return (uint64_t *)(void *)&uc->uc_sigmask;
}

void signal_deliver_pending(struct thread *t)
{
        uint64_t ready = t->signals.pending & ~t->signals.mask;
        long pid = rt_syscall6(SYS_getpid, 0, 0, 0, 0, 0, 0), tid = rt_syscall6(SYS_gettid, 0, 0, 0, 0, 0, 0);

        t->signals.pending &= ~ready;
        for (int sig = 1; sig < SIGNALS; sig++)
                if (ready & signal_bit(sig))
                        rt_syscall6(SYS_tgkill, pid, tid, sig, 0, 0, 0);
}

/* What the kernel does when the handler returns, before it does: the signals that were blocked arrive here. */
static void leave(struct thread *t, uint64_t mask)
{
        t->signals.mask = mask & ~signal_own_set();
        rt_syscall6(SYS_rt_sigprocmask, SIG_SETMASK, (long)&mask, 0, 8, 0, 0);
        delivery_settle(t);
        if (t->signals.pending & ~t->signals.mask)
                signal_deliver_pending(t);
}

static void run(int sig, siginfo_t *info, void *context)
{
        struct signal_action a = actions[sig];
        ucontext_t *uc = context;
        bool known = rt_cur && rt.live;

        if (known) {
                rt_cur->signals.mask =
                        (*context_mask(uc) | a.mask | (a.flags & SA_NODEFER ? 0 : signal_bit(sig))) & ~signal_own_set();
                delivery_count(rt_cur);
                rt_cur->path.handlers++;
        }
        if (a.flags & SA_SIGINFO)
                ((info_handler)(void *)a.handler)(sig, info, context);
        else
                ((plain_handler)a.handler)(sig);
        if (known) {
                rt_cur->path.handlers -= rt_cur->path.handlers > 0;
                leave(rt_cur, *context_mask(uc));
        }
}

void program_handler_wrap(int sig, struct signal_action *a)
{
        actions[sig] = *a;
        changed = program_handler_any = true;
        a->handler = (void (*)(int))(void *)run;
        a->flags |= SA_SIGINFO;
}

void program_handler_unwrap(int sig, struct signal_action *a)
{
        if (a->handler != (void (*)(int))(void *)run)
                return;
        a->handler = actions[sig].handler;
        a->flags = actions[sig].flags;
}

void program_handler_save(void)
{
        rt_copy(saved_actions, actions, sizeof actions);
        saved_any = program_handler_any;
        changed = false;
}

void program_handler_restore(void)
{
        if (changed)
                rt_copy(actions, saved_actions, sizeof actions);
        program_handler_any = saved_any;
        changed = false;
}
