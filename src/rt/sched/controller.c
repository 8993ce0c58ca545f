/*
 * The controller: the fiber between executions.
 *
 * It runs on a stack of its own.  The program comes here twice: once where the snapshot is taken (just before the first
 * thread is created or the first choice is made), and at the end of every execution.  Then the answer is handed to the
 * explorer, the next schedule awaited, memory put back, and the main thread goes on from the snapshot.
 *
 * In fork mode each execution runs in a child made here; only the wire is shared with it.
 */
#include "rt/sched/controller.h"

#include <linux/futex.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "rt/arch/x86_64/fiber.h"
#include "rt/calls/unlisted.h"
#include "rt/fault.h"
#include "rt/map.h"
#include "rt/memory/shadow.h"
#include "rt/memory/torn.h"
#include "rt/sched/callstack.h"
#include "rt/sched/cycle.h"
#include "rt/sched/invariants.h"
#include "rt/sched/marks.h"
#include "rt/sched/pool.h"
#include "rt/sched/sched.h"
#include "rt/sched/tail.h"
#include "rt/threads.h"
#include "rt/util.h"
#include "rt/weak/mm.h"
#include "rt/world/channel.h"
#include "rt/world/descriptor.h"
#include "rt/world/fingerprint.h"
#include "rt/world/kernel.h"
#include "rt/world/snapshot.h"

#define STACK_SIZE (256u << 10)

static bool taken, child;
static long child_pid; /* fork mode: the execution under way */
static uint32_t seen;  /* messages taken from the explorer */

static void answer(void)
{
        struct wire_up *up = rt.up;

        up->running = 0;
        __atomic_store_n(&up->seq, up->seq + 1, __ATOMIC_SEQ_CST);
        if (__atomic_load_n(&rt.down->waits, __ATOMIC_SEQ_CST))
                rt_syscall6(SYS_futex, (long)&up->seq, FUTEX_WAKE, 1, 0, 0, 0);
}

/* Waits for the next message.  The explorer never sends two at a time. */
static void await_message(void)
{
        const uint32_t *seq = &rt.down->seq;

        for (int i = rt.down->crowded ? WIRE_YIELDS : 0;
             i < WIRE_YIELDS && __atomic_load_n(seq, __ATOMIC_SEQ_CST) == seen; i++)
                rt_syscall6(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
        while (__atomic_load_n(seq, __ATOMIC_SEQ_CST) == seen) {
                __atomic_store_n(&rt.up->waits, 1, __ATOMIC_SEQ_CST);
                if (__atomic_load_n(seq, __ATOMIC_SEQ_CST) == seen)
                        rt_syscall6(SYS_futex, (long)seq, FUTEX_WAIT, seen, 0, 0, 0);
                __atomic_store_n(&rt.up->waits, 0, __ATOMIC_SEQ_CST);
        }
        seen++;
        if (rt.down->command == WIRE_QUIT)
                rt_syscall6(SYS_exit_group, 0, 0, 0, 0, 0, 0);
}

static void read_names(void)
{
        const struct wire_down *d = rt.down;
        struct wire_up *up = rt.up;

        for (; up->n_names < d->n_names && up->n_names < WIRE_MAX_THREADS; up->n_names++)
                up->names[up->n_names] = d->names[up->n_names];
}

/* Resets what belongs to one run, after snapshot_restore(). */
static void sched_init_run(void)
{
        const struct wire_down *d = rt.down;
        struct wire_up *up = rt.up;

        rt.flags = d->flags;
        rt.segments = (d->flags & WIRE_SEGMENTS) != 0;
        rt.prefix = d->prefix;
        rt.n_prefix = rt.segments ? 0 : d->n_prefix;
        rt.n_hints = rt.segments ? 0 : d->n_hints;
        ex.n_events = ex.n_transitions = ex.segment = ex.choice_next = ex.hint = 0;
        ex.n_new_shared = ex.n_failures = ex.n_sleep = 0;
        ex.choice = WIRE_NO_CHOICE;
        ex.sleep_armed = false;
        ex.rng = d->run_seed | 1;
        if (RT_UNLIKELY(rt.poison))
                rt.poison += UINT64_C(0x9e3779b97f4a7c15) | 1;
        point_init_run();
        tail_init_run();
        mm_init_run();
        torn_init_run();
        watch_init_run();
        cycle_init_run();
        up->n_events = up->n_transitions = up->n_failures = up->n_new_shared = up->gave_way = up->timeouts = 0;
        up->overruled = 0;
        up->enabled_words = d->flags & WIRE_WANT_ENABLED ? (mm_actors() + 63) / 64 : 0;
        up->leaks_known = up->n_leaks = 0;
        up->text[0] = 0;
        up->step = 0;
        up->end = WIRE_END_NONE;
        callstack_begin();
        shadow_apply_shared();
        if (rt.live)
                shadow_new_execution();
        read_names();
        if (rt.live)
                threads[0].fast_mark = sched_fast_mark(&threads[0]);
        __atomic_store_n(&up->running, 1, __ATOMIC_SEQ_CST);
}

static void resume_main(void)
{
        uintptr_t lo, hi;

        if (pool_stack_of(0, &lo, &hi))
                pool_unused((char *)lo, threads[0].fiber.sp);
        rt_cur = &threads[0];
        fiber_switch(&rt.controller_sp, threads[0].fiber.sp, threads[0].fiber.fs);
}

/* The child was killed or stopped before it gave an answer.  So is this process: the explorer sees what became of it. */
static void share_fate(long child_of_ours, int status)
{
        long self = rt_syscall6(SYS_getpid, 0, 0, 0, 0, 0, 0);

        rt_syscall6(SYS_kill, child_of_ours, SIGKILL, 0, 0, 0, 0);
        rt_syscall6(SYS_kill, self, WIFSTOPPED(status) ? SIGSTOP : SIGKILL, 0, 0, 0, 0);
        for (;;)
                rt_syscall6(SYS_pause, 0, 0, 0, 0, 0, 0);
}

/* One execution in a child; the parent answers for it. */
static void run_forked(void)
{
        struct wire_up *up = rt.up;
        int status = 0;
        long pid = rt_syscall6(SYS_clone, SIGCHLD, 0, 0, 0, 0, 0);

        if (pid < 0)
                rt_fault("fork failed");
        if (pid == 0) {
                child = true;
                if (channel_restore(true))
                        descriptor_restore_shared();
                rt_syscall6(SYS_prctl, 1 /* PR_SET_PDEATHSIG */, SIGKILL, 0, 0, 0, 0);
                resume_main();
                rt_syscall6(SYS_exit_group, 0, 0, 0, 0, 0, 0); /* the end of the execution */
        }
        child_pid = pid;
        while (rt_syscall6(SYS_wait4, pid, (long)&status, WUNTRACED, 0, 0, 0) == -4)
                ;
        child_pid = 0;
        if (WIFSTOPPED(status) || up->end == WIRE_END_NONE)
                share_fate(pid, status);
}

void controller_forward(int sig)
{
        if (child_pid)
                rt_syscall6(SYS_kill, child_pid, sig, 0, 0, 0, 0);
}

static void fork_loop(void)
{
        for (;;) {
                run_forked();
                answer();
                await_message();
                kernel_restore_shared();
                sched_init_run();
                if (rt.flags & WIRE_FINGERPRINT)
                        fingerprint_take();
        }
}

/* The last answer of this process. */
static _Noreturn void last_answer(uint32_t end, const char *what)
{
        struct wire_up *up = rt.up;

        up->end = end;
        up->n_threads = 1;
        up->final = 1;
        rt_text(up->text, WIRE_TEXT, what);
        answer();
        rt_syscall6(SYS_exit_group, 0, 0, 0, 0, 0, 0);
        __builtin_unreachable();
}

/* What cannot be put back even by fork: no execution is run. */
static _Noreturn void refuse(const char *what)
{
        last_answer(WIRE_END_UNSUPPORTED, what);
}

_Noreturn void controller_fault(const char *text)
{
        last_answer(WIRE_END_FAULT, text);
}

static void controller(void)
{
        const char *what;

        for (;;) {
                if (!rt.live && rt.up->end == WIRE_END_NONE) {
                        rt.live = true;
                        shadow_new_execution();
                        threads[0].fast_mark = sched_fast_mark(&threads[0]);
                        threads[0].turn.patience = threads[0].pos + RT_PATIENCE;
                        if (rt.down->isolate == WIRE_ISOLATE_DEBUG)
                                resume_main(); /* for good */
                        what = kernel_save();
                        if (what)
                                refuse(what);
                        if (rt.flags & WIRE_FINGERPRINT)
                                fingerprint_take(); /* what all later ones are measured by */
                        if (rt.down->isolate == WIRE_ISOLATE_FORK)
                                fork_loop();
                        snapshot_take(threads[0].fiber.sp);
                        taken = true;
                } else {
                        if (child)
                                rt_syscall6(SYS_exit_group, 0, 0, 0, 0, 0, 0);
                        rt.up->final = !taken;
                        kernel_finish();
                        answer();
                        if (!taken)
                                rt_syscall6(SYS_exit_group, 0, 0, 0, 0, 0, 0);
                        await_message();
                        snapshot_restore();
                        sched_init_run();
                        if (rt.flags & WIRE_FINGERPRINT)
                                fingerprint_take();
                }
                resume_main();
        }
}

void controller_start(void)
{
        char *stack = rt_map(STACK_SIZE);

        rt.controller_sp = fiber_prepare(stack + STACK_SIZE, controller);
        answer(); /* the modules are known */
        await_message();
        sched_init_run();
}

void snapshot_ensure(void)
{
        struct thread *t = rt_cur;

        if (RT_LIKELY(rt.live) || !rt.target)
                return;
        rt_cur = NULL;
        unlisted_init();
        fiber_switch(&t->fiber.sp, rt.controller_sp, t->fiber.fs);
}
