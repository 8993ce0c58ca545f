/*
 * What a thread is called and how the kernel sees it: names, numbers, priorities, processors, signals.
 *
 * Nothing here is an event.  Threads are fibers on one kernel thread, so these answers are made up, the same in every
 * execution; a priority or a set of processors is kept and given back, and changes nothing.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <time.h>
#include <unistd.h>

#include "rt/calls/calls.h"
#include "rt/fault.h"
#include "rt/position.h"
#include "rt/real.h"
#include "rt/thread/handle.h"
#include "rt/threads.h"
#include "rt/util.h"
#include "rt/world/modules.h"

/* Valid where the thread's `own_sched` is set. */
static struct account {
        int policy, priority;
        cpu_set_t cpus;
} accounts[WIRE_MAX_THREADS];

static struct account *account_of(struct thread *n)
{
        struct account *a = &accounts[n->id];

        if (!n->identity.own_sched) {
                n->identity.own_sched = true;
                a->policy = SCHED_OTHER;
                a->priority = 0;
                rt_copy(&a->cpus, rt.down->cpus, sizeof a->cpus);
        }
        return a;
}

RT_EXPORT int pthread_setname_np(pthread_t handle, const char *name)
{
        struct thread *n;
        size_t length = 0;

        if (!rt_cur)
                return RT_REAL(pthread_setname_np)(handle, name);
        n = thread_by_handle(handle);
        while (name[length])
                length++;
        call_in(name, length + 1, RT_SITE());
        if (!n || length > 15)
                return n ? ERANGE : ESRCH;
        rt_text(n->identity.name, 16, name);
        return 0;
}

RT_EXPORT int pthread_getname_np(pthread_t handle, char *to, size_t size)
{
        struct thread *n;
        size_t length = 0;

        if (!rt_cur)
                return RT_REAL(pthread_getname_np)(handle, to, size);
        n = thread_by_handle(handle);
        if (!n || size < 16)
                return n ? ERANGE : ESRCH;
        while (n->identity.name[length])
                length++;
        call_out(to, n->identity.name, length + 1, RT_SITE());
        return 0;
}

RT_EXPORT pid_t gettid(void)
{
        return rt_cur ? getpid() + rt_cur->id : RT_REAL(gettid)();
}

/* Attributes as glibc has them of the thread that lends its stack. */
RT_EXPORT int pthread_getattr_np(pthread_t handle, pthread_attr_t *attr)
{
        struct thread *t = rt_cur, *n;
        pthread_attr_t got;
        size_t size;
        void *low;
        int error;

        if (!t)
                return RT_REAL(pthread_getattr_np)(handle, attr);
        n = thread_by_handle(handle);
        if (!n)
                return ESRCH;
        rt_run(NULL); /* it reads a file, and allocates */
        error = RT_REAL(pthread_getattr_np)(handle, &got);
        rt_run(t);
        if (error)
                return error;
        pthread_attr_setguardsize(&got, n->identity.guard_size);
        pthread_attr_setdetachstate(&got, n->handle.detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
        if (n->identity.stack_size && !pthread_attr_getstack(&got, &low, &size) && n->identity.stack_size < size)
                pthread_attr_setstack(&got, (char *)low + size - n->identity.stack_size, n->identity.stack_size);
        call_out(attr, &got, sizeof got, RT_SITE());
        return 0;
}

/* Priorities. */

RT_EXPORT int pthread_setschedparam(pthread_t handle, int policy, const struct sched_param *param)
{
        struct thread *n;
        bool real_time = policy == SCHED_FIFO || policy == SCHED_RR;

        if (!rt_cur)
                return RT_REAL(pthread_setschedparam)(handle, policy, param);
        call_in(param, sizeof *param, RT_SITE());
        n = thread_by_handle(handle);
        if (!n)
                return ESRCH;
        if (!real_time && policy != SCHED_OTHER && policy != SCHED_BATCH && policy != SCHED_IDLE)
                return EINVAL;
        if (real_time ? param->sched_priority < 1 || param->sched_priority > 99 : param->sched_priority != 0)
                return EINVAL;
        account_of(n)->policy = policy;
        account_of(n)->priority = param->sched_priority;
        n->identity.rank = param->sched_priority;
        return 0;
}

RT_EXPORT int pthread_setschedprio(pthread_t handle, int priority)
{
        struct sched_param param = {.sched_priority = priority};
        struct thread *n;

        if (!rt_cur)
                return RT_REAL(pthread_setschedprio)(handle, priority);
        n = thread_by_handle(handle);
        return n ? pthread_setschedparam(handle, account_of(n)->policy, &param) : ESRCH;
}

RT_EXPORT int pthread_getschedparam(pthread_t handle, int *policy, struct sched_param *param)
{
        struct thread *n;

        if (!rt_cur)
                return RT_REAL(pthread_getschedparam)(handle, policy, param);
        n = thread_by_handle(handle);
        if (!n)
                return ESRCH;
        call_out(policy, &account_of(n)->policy, sizeof *policy, RT_SITE());
        call_out(param, &account_of(n)->priority, sizeof *param, RT_SITE());
        return 0;
}

/* Processors. */

static int set_cpus(struct thread *n, size_t size, const cpu_set_t *set, uintptr_t site)
{
        struct account *a = account_of(n);

        call_in(set, size, site);
        rt_zero(&a->cpus, sizeof a->cpus);
        rt_copy(&a->cpus, set, size < sizeof a->cpus ? size : sizeof a->cpus);
        for (size_t i = 0; i < sizeof a->cpus; i++)
                if (((const char *)&a->cpus)[i])
                        return 0;
        n->identity.own_sched = false;
        return EINVAL;
}

static int get_cpus(struct thread *n, size_t size, cpu_set_t *set, uintptr_t site)
{
        const struct account *a = account_of(n);
        size_t known = size < sizeof a->cpus ? size : sizeof a->cpus;

        call_out(set, &a->cpus, known, site);
        for (const uint64_t none = 0; known < size; known += sizeof none)
                call_out((char *)set + known, &none, size - known < 8 ? size - known : 8, site);
        return 0;
}

/* The set that the kernel gave outside executions, where we have pinned the process: that of heddle's start instead. */
static int early_cpus(int result, size_t size, cpu_set_t *set)
{
        if (!result && rt.down && rt.down->processors) {
                rt_zero(set, size);
                rt_copy(set, rt.down->cpus, size < sizeof rt.down->cpus ? size : sizeof rt.down->cpus);
        }
        return result;
}

RT_EXPORT int pthread_setaffinity_np(pthread_t handle, size_t size, const cpu_set_t *set)
{
        struct thread *n;

        if (!rt_cur)
                return RT_REAL(pthread_setaffinity_np)(handle, size, set);
        n = thread_by_handle(handle);
        return n ? set_cpus(n, size, set, RT_SITE()) : ESRCH;
}

RT_EXPORT int pthread_getaffinity_np(pthread_t handle, size_t size, cpu_set_t *set)
{
        struct thread *n;

        if (!rt_cur)
                return early_cpus(RT_REAL(pthread_getaffinity_np)(handle, size, set), size, set);
        n = thread_by_handle(handle);
        return n ? get_cpus(n, size, set, RT_SITE()) : ESRCH;
}

/* By number: the running thread or one that gettid() named. */
static struct thread *by_number(pid_t tid)
{
        uint32_t id = tid ? (uint32_t)(tid - getpid()) : rt_cur->id;

        return id < ex.n_threads && threads[id].state != WIRE_T_UNUSED ? &threads[id] : NULL;
}

static int answer(int error)
{
        if (error)
                errno = error;
        return error ? -1 : 0;
}

RT_EXPORT int sched_setaffinity(pid_t tid, size_t size, const cpu_set_t *set)
{
        if (!rt_cur)
                return RT_REAL(sched_setaffinity)(tid, size, set);
        return answer(by_number(tid) ? set_cpus(by_number(tid), size, set, RT_SITE()) : ESRCH);
}

RT_EXPORT int sched_getaffinity(pid_t tid, size_t size, cpu_set_t *set)
{
        if (rt_site_in_libc(RT_SITE()))
                return RT_REAL(sched_getaffinity)(tid, size, set);
        if (!rt_cur)
                return early_cpus(RT_REAL(sched_getaffinity)(tid, size, set), size, set);
        return answer(by_number(tid) ? get_cpus(by_number(tid), size, set, RT_SITE()) : ESRCH);
}

RT_EXPORT int get_nprocs(void)
{
        return rt.down && rt.down->processors ? (int)rt.down->processors : RT_REAL(get_nprocs)();
}

RT_EXPORT long sysconf(int name)
{
        return name == _SC_NPROCESSORS_ONLN ? get_nprocs() : RT_REAL(sysconf)(name);
}

RT_EXPORT int sched_getcpu(void)
{
        return rt_cur ? 0 : RT_REAL(sched_getcpu)();
}

RT_EXPORT int pthread_getcpuclockid(pthread_t handle, clockid_t *clock)
{
        if (!rt_cur)
                return RT_REAL(pthread_getcpuclockid)(handle, clock);
        if (!thread_by_handle(handle))
                return ESRCH;
        call_out(clock, &(clockid_t){CLOCK_THREAD_CPUTIME_ID}, sizeof *clock, RT_SITE());
        return 0;
}
