/* See watchpoint.h.  The signal comes after the instruction. */
#include "rt/arch/x86_64/watchpoint.h"

#include <signal.h>
#include <ucontext.h>

#include "rt/arch/x86_64/patch.h"
#include "rt/rt.h"
#include "rt/world/modules.h"

#define HARDWARE 4 /* TRAP_HWBKPT */

bool watchpoint_hit(const void *info, const void *context)
{
        uintptr_t pc = (uintptr_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP], lo, hi;
        struct wire_up *up = rt.up;

        if (((const siginfo_t *)info)->si_code != HARDWARE)
                return false;
        rt_own_range(&lo, &hi);
        if (pc >= lo && pc < hi)
                return true;
        pc = patch_origin(pc);
        for (uint32_t i = 0; i < up->n_touched; i++)
                if (up->touched[i] == pc)
                        return true;
        if (up->n_touched < WIRE_MAX_TOUCHED)
                up->touched[up->n_touched++] = pc;
        return true;
}
