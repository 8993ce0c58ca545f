/*
 * The guard between a program and the processes of heddle that run it.
 *
 * A program that signals its parent, its process group or every process would end the check, and with it what was found.
 * The group is its own; the other ways are closed by a filter that stays over exec.  The filter compares process numbers, so
 * it denies nothing among the program's own processes.  It names the process that starts the program, the first process of heddle
 * (of which the former is a worker with --jobs), and the process group of both; other workers are not known to it.
 */
#include "target/guard.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_RULES 256u

/* Calls that name a process, and the argument that does. */
static const struct {
        int call, arg;
} named[] = {
        {SYS_kill, 0},
        {SYS_tkill, 0},
        {SYS_tgkill, 0},
        {SYS_rt_sigqueueinfo, 0},
        {SYS_pidfd_open, 0},
        {SYS_ptrace, 1},
        {SYS_rt_tgsigqueueinfo, 0},
        {SYS_process_vm_writev, 0},
        {SYS_prlimit64, 0},
        {SYS_setpgid, 1},
        {SYS_sched_setaffinity, 0},
        {SYS_sched_setscheduler, 0},
        {SYS_sched_setparam, 0},
        {SYS_sched_setattr, 0},
};

struct rules {
        struct sock_filter at[MAX_RULES];
        unsigned short n;
};

static void add(struct rules *r, struct sock_filter f)
{
        if (r->n < MAX_RULES)
                r->at[r->n++] = f;
}

static void load(struct rules *r, size_t offset)
{
        add(r, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

/* Returns `what` if the loaded word is `value`. */
static void if_equal(struct rules *r, uint32_t value, uint32_t what)
{
        add(r, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
        add(r, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, what));
}

/* Denies a call of these processes, or of their groups. */
static void deny(struct rules *r, int call, int arg, const pid_t *pids, unsigned n)
{
        uint32_t denied = SECCOMP_RET_ERRNO | EPERM;
        unsigned short skip;

        load(r, offsetof(struct seccomp_data, nr));
        skip = r->n;
        add(r, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 0));
        load(r, offsetof(struct seccomp_data, args) + 8 * (size_t)arg);
        for (unsigned i = 0; i < n; i++) {
                if_equal(r, (uint32_t)pids[i], denied);
                if (call == SYS_kill)
                        if_equal(r, (uint32_t)-pids[i], denied);
        }
        if (call == SYS_kill) /* everybody */
                if_equal(r, UINT32_MAX, denied);
        r->at[skip].jf = (unsigned char)(r->n - skip - 1);
}

static void filter(const pid_t *pids, unsigned n)
{
        struct rules r = {.n = 0};

        load(&r, offsetof(struct seccomp_data, arch));
        add(&r, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0));
        add(&r, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
        for (size_t i = 0; i < sizeof named / sizeof *named; i++)
                deny(&r, named[i].call, named[i].arg, pids, n);
        add(&r, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));

        struct sock_fprog program = {.len = r.n, .filter = r.at};
        if (r.n < MAX_RULES && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
                syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

bool guard_enter(pid_t parent, pid_t owner)
{
        pid_t pids[] = {parent, owner, getpgrp()};

        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
                return false;
        setpgid(0, 0);
        filter(pids, sizeof pids / sizeof *pids);
        return true;
}
