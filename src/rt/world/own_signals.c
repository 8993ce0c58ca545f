/* See own_signals.h. */
#include "rt/world/own_signals.h"

#include <signal.h>
#include <sys/syscall.h>

#include "rt/map.h"
#include "rt/rt.h"
#include "rt/util.h"

#define ALT_STACK (64u << 10)

struct signal_action own_action;

static const int crash_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, WIRE_LOOP_SIGNAL};
static stack_t own_stack;

bool signal_is_own(int sig)
{
        for (unsigned i = 0; i < sizeof crash_signals / sizeof *crash_signals; i++)
                if (crash_signals[i] == sig)
                        return true;
        return false;
}

uint64_t signal_own_set(void)
{
        uint64_t set = 0;

        for (unsigned i = 0; i < sizeof crash_signals / sizeof *crash_signals; i++)
                set |= UINT64_C(1) << (crash_signals[i] - 1);
        return set;
}

bool signal_is_installed(const struct signal_action *a)
{
        return a->handler == own_action.handler;
}

static struct signal_action action_of(int sig)
{
        struct signal_action a = {0};

        rt_syscall6(SYS_rt_sigaction, sig, 0, (long)&a, 8, 0, 0);
        return a;
}

bool signal_caught(int sig)
{
        struct signal_action a = action_of(sig);

        return a.handler != SIG_DFL && a.handler != SIG_IGN;
}

bool signal_ignored(int sig)
{
        struct signal_action a = action_of(sig);

        return a.handler == SIG_IGN ||
               (a.handler == SIG_DFL && (sig == SIGCHLD || sig == SIGCONT || sig == SIGURG || sig == SIGWINCH));
}

uint64_t signal_flags(int sig)
{
        return action_of(sig).flags;
}

void signal_own_stack(void *stack)
{
        *(stack_t *)stack = own_stack;
}

/* While a system call is performed for a thread, no handler of the program may run: it would be on our stack. */
void signal_install(void)
{
        for (unsigned i = 0; i < sizeof crash_signals / sizeof *crash_signals; i++) {
                own_action.mask = crash_signals[i] == SIGSYS ? ~signal_own_set() : 0;
                rt_syscall6(SYS_rt_sigaction, crash_signals[i], (long)&own_action, 0, 8, 0, 0);
        }
}

void signal_make_stack(void)
{
        own_stack = (stack_t){.ss_sp = rt_map(ALT_STACK), .ss_size = ALT_STACK};
        sigaltstack(&own_stack, NULL);
}
