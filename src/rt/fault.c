/* See fault.h. */
#include "rt/fault.h"

#include <sys/syscall.h>

#include "rt/rt.h"
#include "rt/sched/end.h"
#include "rt/sched/exchange.h"
#include "rt/util.h"

/* Our own fault, or a limit.  Nothing can be trusted but the wire. */
_Noreturn void rt_fault(const char *text)
{
        if (rt.up && rt.controller_sp && rt.up->running) {
                if (!rt_cur)
                        exchange_last(WIRE_END_FAULT, text);
                exec_end_text(WIRE_END_FAULT, 0, text);
        }
        rt_syscall6(SYS_write, 2, (long)"heddle: ", 8, 0, 0, 0);
        for (const char *p = text; *p; p++)
                rt_syscall6(SYS_write, 2, (long)p, 1, 0, 0, 0);
        rt_syscall6(SYS_write, 2, (long)"\n", 1, 0, 0, 0);
        rt_syscall6(SYS_exit_group, 3, 0, 0, 0, 0, 0);
        __builtin_unreachable();
}

void rt_refuse(const char *name)
{
        if (rt_cur)
                exec_end_text(WIRE_END_UNSUPPORTED, 0, name);
        if (rt.target)
                rt_fault(name);
}
