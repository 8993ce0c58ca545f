/*
 * The controller: the fiber between executions.
 *
 * It runs on a stack of its own.  The program comes here twice: once where the snapshot is taken (just before the first
 * thread is created or the first choice is made), and at the end of every execution.  Then the answer is handed to the
 * explorer, the next schedule awaited, memory put back, and the main thread continues from the snapshot.
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
#include "rt/position.h"
#include "rt/trace/callstack.h"
#include "rt/loops/await.h"
#include "rt/loops/cycle.h"
#include "rt/loops/live.h"
#include "rt/loops/masks.h"
#include "rt/loops/retry.h"
#include "rt/sched/end.h"
#include "rt/sched/exchange.h"
#include "rt/user/invariants.h"
#include "rt/sched/points.h"
#include "rt/sched/pool.h"
#include "rt/sched/report.h"
#include "rt/sched/tail.h"
#include "rt/loops/tracking.h"
#include "rt/threads.h"
#include "rt/util.h"
#include "rt/waypoint/ahead.h"
#include "rt/waypoint/waypoint.h"
#include "rt/weak/mm.h"
#include "rt/io/channel.h"
#include "rt/io/descriptor.h"
#include "rt/io/instances.h"
#include "rt/world/fingerprint.h"
#include "rt/world/kernel.h"
#include "rt/world/snapshot.h"
#include "rt/world/trap.h"

#define STACK_SIZE (256u << 10)

static char *stack;
static bool taken, child;
static long child_pid; /* fork mode: the execution under way */

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
        rt.stuck = d->timeouts == WIRE_TIMEOUTS_STUCK;
        ahead_read();
        if (rt.segments)
                rt.n_prefix = rt.n_hints = 0;
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
        live_init_run();
        await_init_run();
        masks_init_run();
        retry_init_run();
        up->n_events = up->n_transitions = up->n_failures = up->n_new_shared = up->gave_way = up->timeouts =
                up->timeout_row = up->clocks = 0;
        up->overruled = up->endless = up->txn.blocked = up->txn.offered = up->txn.full = 0;
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
        position_mark(&threads[0], sched_fast_mark(&threads[0]));
        __atomic_store_n(&up->running, 1, __ATOMIC_SEQ_CST);
}

static void resume_main(void)
{
        uintptr_t lo, hi;

        if (pool_stack_of(0, &lo, &hi))
                pool_main_unused();
        if (rt.flags & WIRE_WATCH) {
                rt.up->pid = (uint32_t)rt_syscall6(SYS_getpid, 0, 0, 0, 0, 0, 0);
                exchange_ask();
        }
        rt_run(&threads[0]);
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
                epoll_restore(); /* each child has instances of its own */
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
                exchange_answer();
                exchange_await();
                kernel_restore_shared();
                sched_init_run();
                if (rt.flags & WIRE_FINGERPRINT)
                        fingerprint_take();
        }
}

/* What cannot be put back even by fork: no execution is run. */
static _Noreturn void refuse(const char *what)
{
        exchange_last(WIRE_END_UNSUPPORTED, what);
}

static void converse(void)
{
        exchange_answer();
        if (!taken)
                rt_syscall6(SYS_exit_group, 0, 0, 0, 0, 0, 0);
        exchange_await();
        ahead_begin();
}

static void controller(void)
{
        const char *what;

        for (;;) {
                if (waypoint_take()) {
                        waypoint_resume();
                        continue;
                }
                if (!rt.live && rt.up->end == WIRE_END_NONE) {
                        unlisted_init();
                        rt.live = true;
                        shadow_new_execution();
                        position_mark(&threads[0], sched_fast_mark(&threads[0]));
                        position_patience(&threads[0], position_of(&threads[0]) + RT_PATIENCE);
                        if (rt.down->isolate == WIRE_ISOLATE_DEBUG)
                                resume_main(); /* for good */
                        what = kernel_save(trap_init());
                        if (what)
                                refuse(what);
                        taken = rt.down->isolate != WIRE_ISOLATE_FORK;
                        if (taken) {
                                waypoint_init(stack, STACK_SIZE);
                                snapshot_take(threads[0].fiber.sp);
                        }
                        kernel_saved();
                        if (rt.flags & WIRE_FINGERPRINT)
                                fingerprint_take(); /* what all later ones are measured by */
                        if (!taken)
                                fork_loop();
                } else {
                        if (child)
                                rt_syscall6(SYS_exit_group, 0, 0, 0, 0, 0, 0);
                        rt.up->final = !taken;
                        kernel_finish();
                        waypoint_over();
                        if (!ahead_over())
                                converse();
                        if (!ahead_runs() && waypoint_restore()) {
                                waypoint_resume();
                                continue;
                        }
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
        stack = rt_map(STACK_SIZE);
        exec_set_report(report_end);
        rt.controller_sp = fiber_prepare(stack + STACK_SIZE, controller);
        exchange_answer(); /* the modules are known */
        exchange_await();
        sched_init_run();
}
