/*
 * The runtime's side of `heddle gdb`: under a debugger it stops in heddle_debug_stop() where the explorer asks.
 *
 * The debugger's script sets a breakpoint on that function and shares struct wire_debug with the runtime.
 */
#include "rt/trace/debug.h"

#include <sys/syscall.h>

#include "rt/threads.h"
#include "rt/util.h"

RT_EXPORT void heddle_debug_stop(void);
__attribute__((noinline)) void heddle_debug_stop(void)
{
        __asm__ volatile("" : : : "memory");
}

void debug_step(struct thread *t, uint32_t step)
{
        struct wire_debug *d = &rt.up->debug;
        bool turned = d->stop_switch && step > 1 && t->id != d->actor;

        if (rt.down->isolate != WIRE_ISOLATE_DEBUG)
                return;
        d->step = step;
        d->actor = t->id;
        if (step == d->stop_at || turned) {
                heddle_debug_stop();
        }
}

static void stop_at_failure(const struct thread *t, uint32_t failed)
{
        if (rt.down->isolate != WIRE_ISOLATE_DEBUG)
                return;
        rt.up->debug.actor = thread_owner(t);
        rt.up->debug.failed = failed;
        heddle_debug_stop();
        rt.up->debug.failed = 0;
}

void debug_failed(struct thread *t)
{
        stop_at_failure(t, 1);
}

void debug_broken(struct thread *t)
{
        stop_at_failure(t, 2);
}

_Noreturn void debug_end(void)
{
        rt.up->debug.ended = 1;
        heddle_debug_stop();
        rt_syscall6(SYS_exit_group, ex.n_failures ? 1 : ex.exit_status, 0, 0, 0, 0, 0);
        __builtin_unreachable();
}
