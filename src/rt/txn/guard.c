/*
 * See guard.h.  A kernel without syscall user dispatch (before 5.11) lets these calls pass.
 */
#include "rt/txn/guard.h"

#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include "rt/util.h"
#include "rt/world/modules.h"

#define SET_DISPATCH  59 /* PR_SET_SYSCALL_USER_DISPATCH */
#define DISPATCH_ON   1
#define USER_DISPATCH 2 /* SYS_USER_DISPATCH */

volatile char guard_blocks;

/* A child of fork() does not inherit it, so it is asked for each time. */
void guard_begin(void)
{
        uintptr_t lo, hi;

        rt_own_range(&lo, &hi);
        guard_blocks = rt_syscall6(SYS_prctl, SET_DISPATCH, DISPATCH_ON, (long)lo, (long)(hi - lo), (long)&guard_blocks,
                                   0) == 0;
}

/* The frame of the handler that returns is at its stack pointer. */
static _Noreturn void come_back(greg_t sp)
{
        __asm__ volatile("movq %0, %%rsp\n\tmovl %1, %%eax\n\tsyscall" : : "r"(sp), "i"(SYS_rt_sigreturn) : "memory");
        __builtin_unreachable();
}

bool guard_caught(const void *info, void *context)
{
        const siginfo_t *si = info;
        const ucontext_t *uc = context;

        if (si->si_code != USER_DISPATCH)
                return false;
        if (si->si_syscall == SYS_rt_sigreturn)
                come_back(uc->uc_mcontext.gregs[REG_RSP]);
        return true;
}
