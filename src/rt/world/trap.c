/*
 * System calls that change the kernel's part of a process: a filter sends them here, to be performed and noted.
 *
 * The filter lets through what the runtime itself calls, recognised by the address of the instruction.  A call that is caught
 * raises SIGSYS on the thread's own fiber; the handler performs it in the thread's name and puts the answer into the
 * register.  Nothing here may switch fibers: the alternate stack belongs to all.
 *
 * A wait on a futex could never end, since every thread of the program runs on this one kernel thread.  It is a lock of
 * libc, or one that the program made by hand.
 */
#include "rt/world/trap.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "rt/calls/assumed.h"
#include "rt/calls/random.h"
#include "rt/files/files.h"
#include "rt/memory/area.h"
#include "rt/position.h"
#include "rt/sched/end.h"
#include "rt/threads.h"
#include "rt/util.h"
#include "rt/io/descriptor.h"
#include "rt/world/kernel.h"
#include "rt/world/modules.h"
#include "rt/world/restorable.h"
#include "rt/world/signal_state.h"

struct call {
        long nr;
        long a[6];
        uintptr_t pc;
        ucontext_t *context;
        const struct thread *thread; /* the caller; NULL: the runtime, through libc */
        const char *name;
};

static long perform(const struct call *c)
{
        return rt_syscall6(c->nr, c->a[0], c->a[1], c->a[2], c->a[3], c->a[4], c->a[5]);
}

static long on_opened(const struct call *c)
{
        long r = perform(c);

        if (r >= 0) {
                descriptor_opened((int)r);
                assumed_descriptor((int)r);
        }
        return r;
}

static long on_opened_pair(const struct call *c)
{
        const int *pair = (const int *)(c->nr == SYS_socketpair ? c->a[3] : c->a[0]);
        long r = perform(c);

        if (r >= 0) {
                descriptor_opened(pair[0]);
                descriptor_opened(pair[1]);
        }
        return r;
}

static long on_received(const struct call *c)
{
        descriptor_unknown();
        return perform(c);
}

static long on_closed(const struct call *c)
{
        return descriptor_change((int)c->a[0]) ? perform(c) : -EBADF;
}

static long on_closed_range(const struct call *c)
{
        return descriptor_close_range((unsigned)c->a[0], (unsigned)c->a[1], (unsigned)c->a[2]);
}

static long on_replaced(const struct call *c)
{
        if ((int)c->a[1] == (int)c->a[0])
                return perform(c);
        return descriptor_change((int)c->a[1]) ? perform(c) : -EBADF;
}

static long on_control(const struct call *c)
{
        if (c->nr == SYS_fcntl && (c->a[1] == F_DUPFD || c->a[1] == F_DUPFD_CLOEXEC))
                return on_opened(c);
        if (c->nr == SYS_ioctl || c->a[1] == F_SETFL || c->a[1] == F_SETFD)
                descriptor_flags();
        return perform(c);
}

static long on_umask(const struct call *c)
{
        return kernel_umask(c->a);
}

static long on_random(const struct call *c)
{
        if (!c->thread)
                return perform(c);
        random_fill((void *)c->a[0], (size_t)c->a[1]);
        return c->a[1];
}

static long on_limit(const struct call *c)
{
        return kernel_limit(c->nr, c->a);
}

static long on_timer(const struct call *c)
{
        return kernel_timer(c->nr, c->a);
}

static long on_sigaction(const struct call *c)
{
        return signal_call_action(c->a);
}

static long on_sigmask(const struct call *c)
{
        return signal_call_mask(c->thread ? &threads[c->thread->id] : NULL, c->a,
                                (uint64_t *)(void *)&c->context->uc_sigmask);
}

static long on_sigstack(const struct call *c)
{
        return signal_call_stack(c->a);
}

static long on_mmap(const struct call *c)
{
        return area_mmap(c->thread ? c->thread->id : 0, c->a);
}

static long on_munmap(const struct call *c)
{
        return area_munmap(c->a);
}

static long on_mremap(const struct call *c)
{
        return area_mremap(c->thread ? c->thread->id : 0, c->a);
}

static long on_mprotect(const struct call *c)
{
        return area_mprotect(c->nr, c->a);
}

static long on_madvise(const struct call *c)
{
        return area_madvise(c->a);
}

static long on_brk(const struct call *c)
{
        return area_brk(c->a);
}

static long on_unrestorable(const struct call *c)
{
        char text[WIRE_TEXT];

        rt_format(text, sizeof text, "the program calls %s() while it runs", c->name);
        kernel_cannot_restore(text);
        return perform(c);
}

static long on_refused(const struct call *c)
{
        char text[WIRE_TEXT];

        if (!c->thread)
                return perform(c);
        rt_format(text, sizeof text, "the system call %s", c->name);
        exec_end_text(WIRE_END_UNSUPPORTED, 0, text);
}

/* The filter lets the calls through that do not wait. */
static long on_futex(const struct call *c)
{
        const uint32_t *word = (const uint32_t *)c->a[0];

        if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != (uint32_t)c->a[2])
                return -EAGAIN;
        if (c->a[3])
                return -ETIMEDOUT; /* no thread could have come in between */
        if (!c->thread)
                return perform(c);
        exec_end_text(WIRE_END_UNSUPPORTED, 0,
                      rt_site_in_libc(c->pc) ? "a lock inside libc while another thread holds it"
                                             : "the system call futex made by hand (call syscall())");
}

/* The thread continues in _exit(), on its own stack. */
static long on_exit(const struct call *c)
{
        greg_t *r = c->context->uc_mcontext.gregs;
        uint64_t *sp = (uint64_t *)((((uint64_t)r[REG_RSP] - 128) & ~UINT64_C(15)) - 8);

        if (!c->thread)
                return perform(c);
        *sp = c->pc;
        r[REG_RSP] = (greg_t)sp;
        r[REG_RIP] = (greg_t)_exit;
        return 0;
}

static const struct trap {
        long nr;
        long (*handle)(const struct call *c);
        const char *name;
        bool early;
} traps[] = {
#define TRAP(name, handler)  {SYS_##name, on_##handler, #name, false},
#define EARLY(name, handler) {SYS_##name, on_##handler, #name, true},
#include "rt/world/trap.def"
#undef TRAP
#undef EARLY
};

#define N_TRAPS     (sizeof traps / sizeof *traps)
#define MAX_NUMBERS 160u

/* A call that names a file. */
static bool on_file(const struct call *c, long *r)
{
        bool opened;

        if (!files_call(c->nr, c->a, r, &opened))
                return false;
        if (opened && *r >= 0 && rt.live) {
                descriptor_opened((int)*r);
                assumed_descriptor((int)*r);
        }
        return true;
}

bool trap_signal(const void *info, void *context)
{
        const siginfo_t *si = info;
        ucontext_t *uc = context;
        greg_t *r = uc->uc_mcontext.gregs;
        struct thread *t = rt_cur;
        struct call c = {.nr = si->si_syscall, .pc = (uintptr_t)si->si_call_addr, .context = uc, .thread = t};
        long answer = 0;
        bool known;

        if (si->si_code != 1 /* SYS_SECCOMP */)
                return false;
        c.a[0] = r[REG_RDI];
        c.a[1] = r[REG_RSI];
        c.a[2] = r[REG_RDX];
        c.a[3] = r[REG_R10];
        c.a[4] = r[REG_R8];
        c.a[5] = r[REG_R9];
        rt_run(NULL); /* what the compiler makes of a copy is not an access of the program */
        known = on_file(&c, &answer);
        for (unsigned i = 0; !known && i < N_TRAPS; i++) {
                if (traps[i].nr != c.nr)
                        continue;
                c.name = traps[i].name;
                answer = traps[i].handle(&c);
                known = true;
        }
        rt_run(t);
        if (known)
                r[REG_RAX] = answer;
        return known;
}

#define LOAD(field)    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)(field))
#define ARG_LOW(n)     (offsetof(struct seccomp_data, args) + 8 * (n))
#define IP_LOW         offsetof(struct seccomp_data, instruction_pointer)
#define IS(k, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(k), yes, no)
#define GE(k, yes, no) BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, (uint32_t)(k), yes, no)
#define RETURN(what)   BPF_STMT(BPF_RET | BPF_K, what)

/*
 * Which call?  A jump to `ours` for each of the numbers, then: is it the runtime's?  A futex is checked further unless it is,
 * and so is an ioctl.  Numbers that are never caught are answered by their number alone, which the kernel remembers.
 */
static uint32_t build_filter(struct sock_filter *f, const long *numbers, uint32_t count, uintptr_t lo, uintptr_t hi)
{
        uint32_t n = 0;

        f[n++] = (struct sock_filter)LOAD(offsetof(struct seccomp_data, arch));
        f[n++] = (struct sock_filter)IS(AUDIT_ARCH_X86_64, 1, 0);
        f[n++] = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
        f[n++] = (struct sock_filter)LOAD(offsetof(struct seccomp_data, nr));
        for (uint32_t i = 0; i < count; i++)
                f[n++] = (struct sock_filter)IS(numbers[i], (uint8_t)(count - i), 0);
        f[n++] = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
        /* ours */
        f[n++] = (struct sock_filter)LOAD(IP_LOW + 4);
        f[n++] = (struct sock_filter)IS(lo >> 32, 0, 4);
        f[n++] = (struct sock_filter)LOAD(IP_LOW);
        f[n++] = (struct sock_filter)GE(lo & UINT32_MAX, 0, 2);
        f[n++] = (struct sock_filter)GE(hi & UINT32_MAX, 1, 0);
        f[n++] = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
        f[n++] = (struct sock_filter)LOAD(offsetof(struct seccomp_data, nr));
        f[n++] = (struct sock_filter)IS(SYS_ioctl, 7, 0);
        f[n++] = (struct sock_filter)IS(SYS_futex, 0, 10);
        f[n++] = (struct sock_filter)LOAD(ARG_LOW(1));
        f[n++] = (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, FUTEX_CMD_MASK);
        f[n++] = (struct sock_filter)IS(FUTEX_WAIT, 7, 0);
        f[n++] = (struct sock_filter)IS(FUTEX_WAIT_BITSET, 6, 0);
        f[n++] = (struct sock_filter)IS(FUTEX_LOCK_PI, 5, 0);
        f[n++] = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
        f[n++] = (struct sock_filter)LOAD(ARG_LOW(1)); /* ioctl */
        f[n++] = (struct sock_filter)IS(FIONBIO, 2, 0);
        f[n++] = (struct sock_filter)IS(FIOCLEX, 1, 0);
        f[n++] = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
        f[n++] = (struct sock_filter)RETURN(SECCOMP_RET_TRAP);
        return n;
}

static bool install(const long *numbers, uint32_t count)
{
        struct sock_filter f[MAX_NUMBERS + 40];
        struct sock_fprog program = {.filter = f};
        uintptr_t lo, hi;

        rt_own_range(&lo, &hi);
        if (lo >> 32 != hi >> 32)
                return false;
        program.len = (unsigned short)build_filter(f, numbers, count, lo, hi);
        if (rt_syscall6(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0) != 0)
                return false;
        return rt_syscall6(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, (long)&program, 0, 0, 0) == 0;
}

bool trap_files(void)
{
        long numbers[MAX_NUMBERS];
        uint32_t n = 0;

        while (n < MAX_NUMBERS && (numbers[n] = files_number(n)) >= 0)
                n++;
        for (unsigned i = 0; i < N_TRAPS; i++)
                if (traps[i].early && n < MAX_NUMBERS)
                        numbers[n++] = traps[i].nr;
        return install(numbers, n);
}

bool trap_init(void)
{
        long numbers[N_TRAPS];
        uint32_t n = 0;

        for (unsigned i = 0; i < N_TRAPS; i++)
                if (!traps[i].early)
                        numbers[n++] = traps[i].nr;
        return install(numbers, n);
}
