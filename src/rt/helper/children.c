/*
 * See children.h; wait() and its relatives.
 *
 * All helpers of the program have ended when it asks for them, so these calls never wait.  Numbers are above those of the kernel.
 */
#include "rt/helper/children.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rt/calls/calls.h"
#include "rt/calls/effect.h"
#include "rt/fault.h"
#include "rt/map.h"
#include "rt/real.h"
#include "rt/thread/cancel.h"
#include "rt/threads.h"
#include "rt/util.h"

#define MAX_CHILDREN 64u
#define FIRST_PID    5000000
#define OF_A_THREAD  1000u

static struct child *children, *saved; /* in the order of their starts */
static uint32_t n_children, n_saved;

struct child *child_new(void *stream)
{
        struct thread *t = rt_cur;
        struct child *c;

        if (!children)
                children = rt_map(MAX_CHILDREN * sizeof *children);
        if (n_children == MAX_CHILDREN || t->channel.n_helpers == OF_A_THREAD)
                rt_refuse("more than 64 helpers at a time, or more than 1,000 of a thread");
        c = &children[n_children++];
        c->pid = stream ? 0 : FIRST_PID + (int)(t->id * OF_A_THREAD + t->channel.n_helpers++);
        c->status = 0;
        c->stream = stream;
        c->input = -1;
        return c;
}

struct child *child_of(const void *stream)
{
        for (uint32_t i = 0; i < n_children; i++)
                if (children[i].stream == stream)
                        return &children[i];
        return NULL;
}

void child_forget(struct child *c)
{
        for (n_children--; c < &children[n_children]; c++)
                *c = c[1];
}

static struct child *find(int pid)
{
        for (uint32_t i = 0; i < n_children; i++)
                if (children[i].pid && (pid <= 0 || children[i].pid == pid))
                        return &children[i];
        return NULL;
}

bool child_is(int pid)
{
        return pid > 0 && find(pid);
}

void children_save(void)
{
        n_saved = n_children;
        if (n_saved && !saved)
                saved = rt_map(MAX_CHILDREN * sizeof *saved);
        if (n_saved)
                rt_copy(saved, children, n_saved * sizeof *saved);
}

void children_restore(void)
{
        n_children = n_saved;
        if (n_saved)
                rt_copy(children, saved, n_saved * sizeof *saved);
}

/* Takes one that has ended: its number, or -1. */
static int take(int pid, bool stays, int *status, uintptr_t site)
{
        struct child *c;
        int r;

        cancel_point(site);
        effect_one(stays ? EFFECT_USE(STATE_CHILDREN) : EFFECT_CHANGE(STATE_CHILDREN), site);
        c = find(pid);
        if (!c) {
                errno = ECHILD;
                return -1;
        }
        r = c->pid;
        *status = c->status;
        if (!stays)
                child_forget(c);
        return r;
}

static pid_t wait_for(pid_t pid, int *status, struct rusage *usage, uintptr_t site)
{
        struct rusage none;
        int of, r = take(pid, false, &of, site);

        if (r < 0)
                return -1;
        rt_zero(&none, sizeof none);
        call_out(status, &of, sizeof of, site);
        call_out(usage, &none, sizeof none, site);
        return r;
}

RT_EXPORT pid_t waitpid(pid_t pid, int *status, int options)
{
        return rt_cur ? wait_for(pid, status, NULL, RT_SITE()) : RT_REAL(waitpid)(pid, status, options);
}

RT_EXPORT pid_t wait(int *status)
{
        return rt_cur ? wait_for(-1, status, NULL, RT_SITE()) : RT_REAL(wait)(status);
}

RT_EXPORT pid_t wait3(int *status, int options, struct rusage *usage)
{
        return rt_cur ? wait_for(-1, status, usage, RT_SITE()) : RT_REAL(wait3)(status, options, usage);
}

RT_EXPORT pid_t wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
        return rt_cur ? wait_for(pid, status, usage, RT_SITE()) : RT_REAL(wait4)(pid, status, options, usage);
}

RT_EXPORT int waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
        siginfo_t of;
        int status, r;

        if (!rt_cur)
                return RT_REAL(waitid)(type, id, info, options);
        r = take(type == P_PID ? (int)id : -1, (options & WNOWAIT) != 0, &status, RT_SITE());
        if (r < 0)
                return -1;
        rt_zero(&of, sizeof of);
        of.si_signo = SIGCHLD;
        of.si_pid = r;
        of.si_uid = getuid();
        of.si_code = WIFEXITED(status) ? CLD_EXITED : CLD_KILLED;
        of.si_status = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
        call_out(info, &of, sizeof of, RT_SITE());
        return 0;
}
