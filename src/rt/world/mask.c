/* See mask.h. */
#include "rt/world/mask.h"

#include <signal.h>
#include <sys/syscall.h>

#include "rt/threads.h"
#include "rt/util.h"

bool signal_mask_changed;

void signal_switch_mask(const struct thread *to)
{
        if (rt.down->isolate == WIRE_ISOLATE_DEBUG) /* every thread has a mask of its own */
                return;
        signal_mask_changed = true;
        rt_syscall6(SYS_rt_sigprocmask, SIG_SETMASK, (long)&to->signals.mask, 0, 8, 0, 0);
}
