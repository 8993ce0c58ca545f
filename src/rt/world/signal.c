/*
 * Crashes, and the explorer's word that a thread loops: signals become failures of the running thread, unless the program
 * has a handler of its own for the crash, which runs as it does natively.
 *
 * The handler runs on an alternate stack and leaves it by switching to another fiber; SA_NODEFER keeps the signal
 * unblocked.  Everything runs on one kernel thread, so one alternate stack serves.
 */
#include "rt/world/signal.h"

#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include "rt/arch/x86_64/locked.h"
#include "rt/arch/x86_64/watchpoint.h"
#include "rt/fault.h"
#include "rt/position.h"
#include "rt/real.h"
#include "rt/memory/shadow.h"
#include "rt/sched/controller.h"
#include "rt/trace/debug.h"
#include "rt/sched/failure.h"
#include "rt/user/invariants.h"
#include "rt/sched/marks.h"
#include "rt/user/plugin.h"
#include "rt/sched/pool.h"
#include "rt/threads.h"
#include "rt/txn/guard.h"
#include "rt/txn/speculation.h"
#include "rt/util.h"
#include "rt/world/modules.h"
#include "rt/world/own_signals.h"
#include "rt/world/regions.h"
#include "rt/world/signal_state.h"
#include "rt/world/trap.h"

#define LEAST_STACK    4096u  /* that a handler of the program needs beside its frame */
#define RED_ZONE       128u   /* below the stack pointer: the function's that was interrupted */
#define FPU_SOFTWARE   464u   /* where the kernel describes the state of the FPU within it */
#define FLAG_DIRECTION 0x400u /* of string instructions */

static const char *signal_text(int sig)
{
        switch (sig) {
        case SIGSEGV: return "SIGSEGV";
        case SIGBUS: return "SIGBUS";
        case SIGFPE: return "SIGFPE";
        case SIGILL: return "SIGILL";
        case SIGTRAP: return "SIGTRAP";
        case SIGSYS: return "SIGSYS";
        }
        return "a signal";
}

/* Is the compiler's trap here, ud2? */
static bool is_trap(const uint8_t *pc)
{
        return pc[0] == 0x0f && pc[1] == 0x0b;
}

/* xbegin, xend or xtest? */
static bool is_transaction(const uint8_t *pc)
{
        return (pc[0] == 0xc7 && pc[1] == 0xf8) || (pc[0] == 0x0f && pc[1] == 0x01 && (pc[2] == 0xd5 || pc[2] == 0xd6));
}

static const char *crash_text(const struct thread *t, int sig, uintptr_t pc, uint64_t addr, bool sent)
{
        uintptr_t lo, hi;

        if (sent)
                return "sent by the program itself";
        if (sig == SIGSEGV && pool_stack_of(t->id, &lo, &hi) && addr < lo && addr + 65536 >= lo)
                return "the stack overflowed";
        if (sig == SIGILL && is_trap((const uint8_t *)pc))
                return "a trap of the compiler (ud2): a function with a result ends without `return', or code runs "
                       "that it "
                       "took to be unreachable";
        return "";
}

/* It was signalled because it shows nothing: does it still announce accesses?  Known at the second signal. */
static struct {
        const struct thread *t;
        uint32_t n_events, pos;
} silent;

static bool first_silence(const struct thread *t)
{
        if (silent.t == t && silent.n_events == ex.n_events)
                return false;
        silent.t = t;
        silent.n_events = ex.n_events;
        silent.pos = position_of(t);
        return true;
}

/* Its last store is what crashed: it has no value, and where it goes to perhaps nothing can be read. */
static void forget_store(struct thread *t, uint64_t addr)
{
        const struct wire_event *e = t->unsaid;

        if (e && (addr - e->obj < e->size || e->obj >> 47))
                t->unsaid = NULL;
}

static void crashed(struct thread *t, int sig, uintptr_t pc, uintptr_t sp, uint64_t addr, bool sent)
{
        const char *text = crash_text(t, sig, pc, addr, sent);

        if ((sig == SIGSEGV || sig == SIGBUS) && !sent)
                forget_store(t, addr);
        if (sig == SIGTRAP && mark_is_error(pc - 1))
                rt_fail(WIRE_FAIL_ASSERTION, *(const uintptr_t *)sp, "reach_error() was called");
        if (sig == SIGILL && is_transaction((const uint8_t *)pc))
                rt_refuse("hardware transactions (xbegin) in code that was loaded or made while the program ran");
        pc = locked_origin(pc);
        pc = rt_site_in_rt(pc) ? t->pend.site : pc + 1; /* sites are return addresses */
        failure_gate(t,
                     sig == SIGABRT            ? WIRE_FAIL_ABORT
                     : sig == WIRE_LOOP_SIGNAL ? WIRE_FAIL_LOOP
                                               : WIRE_FAIL_CRASH,
                     pc, text);
        if (sig == SIGABRT) {
                failure_record(t, WIRE_FAIL_ABORT, calls_under_way(t) && rt_site_in_libc(pc) ? t->pend.site : pc,
                               "abort", sig, 0);
        } else if (sig == WIRE_LOOP_SIGNAL) {
                failure_record(t, WIRE_FAIL_LOOP, pc, "no visible operation for too long", 0,
                               position_of(t) != silent.pos && !watch_is(t));
                silent.t = NULL;
        } else {
                failure_record(t, WIRE_FAIL_CRASH, pc, text, sig, addr);
        }
        if (sig == SIGILL) /* of which the debugger is silent, for the sake of locked_trap() */
                debug_failed(t);
        failure_stop(t);
}

/* Bytes of the state of the floating-point unit in a signal's frame. */
static size_t fpu_size(const struct _libc_fpstate *fp)
{
        const uint32_t *software = (const uint32_t *)(const void *)((const char *)fp + FPU_SOFTWARE);

        return fp && software[0] == FP_XSTATE_MAGIC1 ? software[1] : fp ? sizeof *fp : 0;
}

/* Room for a frame of this size on the stack of the thread or, where that is full, on the program's alternate one; 0: none. */
static uintptr_t frame_room(const struct thread *t, const struct signal_action *a, uintptr_t sp, size_t size)
{
        uintptr_t lo, hi, top = signal_program_stack();

        if (!pool_stack_of(t->id, &lo, &hi) || sp - RED_ZONE >= lo + size + LEAST_STACK)
                return sp - RED_ZONE;
        return a->flags & SA_ONSTACK ? top : 0;
}

/* Lets the program's own handler run when ours returns, as the kernel would have called it: on the stack of the thread, with
 * a frame from which libc's way back (SA_RESTORER) continues where the signal came.  So a handler that repairs and returns, one
 * that leaves by siglongjmp and one that ends the process do what they do natively.  False: there is none. */
static bool run_handler(struct thread *t, int sig, const siginfo_t *info, ucontext_t *uc)
{
        size_t context_size = (size_t)((const char *)info - (const char *)uc), fp = fpu_size(uc->uc_mcontext.fpregs);
        greg_t *reg = uc->uc_mcontext.gregs;
        struct signal_action a;
        uintptr_t top, fp_at, info_at, context_at;

        if (watch_is(t) || (sig == SIGTRAP && mark_is_error((uintptr_t)reg[REG_RIP] - 1)) ||
            context_size > sizeof *uc || !signal_take_handler(sig, &a))
                return false;
        top = frame_room(t, &a, (uintptr_t)reg[REG_RSP], fp + context_size + sizeof *info);
        if (!top)
                return false;
        fp_at = (top - fp) & ~(uintptr_t)63;
        info_at = fp_at - sizeof *info;
        context_at = (info_at - context_size) & ~(uintptr_t)15;
        rt_copy((void *)fp_at, uc->uc_mcontext.fpregs, fp);
        rt_copy((void *)info_at, info, sizeof *info);
        rt_copy((void *)context_at, uc, context_size);
        ((ucontext_t *)context_at)->uc_mcontext.fpregs = fp ? (struct _libc_fpstate *)fp_at : NULL;
        *(uintptr_t *)(context_at - 8) = (uintptr_t)own_action.restorer;
        reg[REG_RSP] = (greg_t)(context_at - 8);
        reg[REG_RIP] = (greg_t)(uintptr_t)a.handler;
        reg[REG_RDI] = sig;
        reg[REG_RSI] = (greg_t)info_at;
        reg[REG_RDX] = (greg_t)context_at;
        reg[REG_RAX] = 0;
        reg[REG_EFL] &= ~(greg_t)FLAG_DIRECTION;
        return true;
}

static void handler(int sig, siginfo_t *info, void *context)
{
        ucontext_t *uc = context;
        struct thread *t = rt_cur;
        char text[WIRE_TEXT];

        if (sig == SIGSYS && trap_signal(info, context))
                return;
        if (sig == SIGSYS && guard_caught(info, context))
                speculation_stop(t, 0);
        if (sig == SIGILL && locked_trap(context))
                return;
        if (sig == SIGTRAP && watchpoint_hit(info, context))
                return;
        if (sig == SIGSEGV &&
            (snapshot_fault((uintptr_t)info->si_addr) || (t && shadow_missed((uintptr_t)info->si_addr))))
                return;
        if (sig == WIRE_LOOP_SIGNAL && t && first_silence(t))
                return;
        userop_crashed(signal_text(sig));
        if (t && t->section.txn) /* before a handler of the program */
                speculation_stop(t, 0);
        if (t && sig != SIGSYS && sig != WIRE_LOOP_SIGNAL && run_handler(t, sig, info, uc))
                return;
        if (t)
                crashed(t, sig, (uintptr_t)uc->uc_mcontext.gregs[REG_RIP], (uintptr_t)uc->uc_mcontext.gregs[REG_RSP],
                        (uint64_t)(uintptr_t)info->si_addr, info->si_code <= 0);
        if (sig == WIRE_LOOP_SIGNAL) { /* the runtime is at work, or a child is */
                controller_forward(sig);
                return;
        }
        rt_format(text, sizeof text, "the runtime crashed: %s at %p, address %p", signal_text(sig),
                  (uint64_t)uc->uc_mcontext.gregs[REG_RIP], (uint64_t)(uintptr_t)info->si_addr);
        rt_fault(text);
}

/* The way back from a handler is libc's: it is learnt from an action that libc installs. */
void signal_init(void)
{
        __typeof__(sigaction) *real = rt_real("sigaction");
        struct sigaction sa = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART};

        signal_make_stack();
        real(SIGSEGV, &sa, NULL);
        rt_syscall6(SYS_rt_sigaction, SIGSEGV, 0, (long)&own_action, 8, 0, 0);
        signal_install();
}
