/*
 * What the kernel holds of a process: saved with the snapshot, put back for every execution.
 *
 * trap.c tells of every system call that changes something, so that only what was changed is put back.  Where the
 * kernel permits no filter, everything is put back every time.  Timers are not put back but disarmed: real time does
 * not pass in an execution.
 *
 * Not covered: processes, System V objects, priorities; users and groups (calls/identity.c).
 */
#include "rt/world/kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include "rt/calls/assumed.h"
#include "rt/files/files.h"
#include "rt/helper/children.h"
#include "rt/memory/area.h"
#include "rt/rt.h"
#include "rt/sched/end.h"
#include "rt/util.h"
#include "rt/io/descriptor.h"
#include "rt/world/fingerprint.h"
#include "rt/world/maps.h"
#include "rt/world/own_signals.h"
#include "rt/world/signal_state.h"

static bool filtered;
static int cwd = -1; /* the working directory at the snapshot */
static bool moved, masked, timed;
static uint32_t saved_umask;
static uint64_t saved_maps;
static struct rlimit limits[RLIM_NLIMITS];
static uint32_t limited; /* a bit for each that was changed */

/* The program's limits of memory are kept, not set: they would be those of the runtime, too. */
static struct memory_limit {
        bool known;
        struct rlimit value;
} memory_limits[2], memory_saved[2]; /* RLIMIT_DATA, RLIMIT_AS */

static void save_cwd(void)
{
        long fd;

        if (cwd >= 0)
                return;
        fd = rt_syscall6(SYS_openat, AT_FDCWD, (long)".", O_PATH | O_DIRECTORY | O_CLOEXEC, 0, 0, 0);
        if (fd < 0)
                return;
        cwd = descriptor_keep((int)fd);
        rt_syscall6(SYS_close, fd, 0, 0, 0, 0, 0);
}

/* When a timer ends is a matter of real time, and it is not known which order of handler and threads to try. */
static const char timer_refused[] = "alarm or setitimer with a handler (call the handler from a thread)";

static const int timer_signals[] = {[ITIMER_REAL] = SIGALRM, [ITIMER_VIRTUAL] = SIGVTALRM, [ITIMER_PROF] = SIGPROF};

static bool runs(const struct itimerval *v)
{
        return v->it_value.tv_sec || v->it_value.tv_usec;
}

/* A timer runs whose signal the program catches. */
static bool timer_caught(void)
{
        struct itimerval v;

        for (int i = ITIMER_REAL; i <= ITIMER_PROF; i++)
                if (rt_syscall6(SYS_getitimer, i, (long)&v, 0, 0, 0, 0) == 0 && runs(&v) &&
                    signal_caught(timer_signals[i]))
                        return true;
        return false;
}

static void disarm(void)
{
        struct itimerval none = {{0, 0}, {0, 0}};

        for (int i = ITIMER_REAL; i <= ITIMER_PROF; i++)
                rt_syscall6(SYS_setitimer, i, (long)&none, 0, 0, 0, 0);
}

/* A mapping of a file that is private to the program: it changes with the file (files.h). */
static bool is_own_file(const char *name)
{
        const char *with = "/memfd:heddle";

        while (*with && *name == *with) {
                name++;
                with++;
        }
        return !*with;
}

static void look_for_shared(void *arg, const struct mapping *m)
{
        if (m->write && m->shared && !maps_in_region(m->lo) && !is_own_file(m->name))
                *(const char **)arg = "writable memory that is shared with other processes (MAP_SHARED)";
}

static bool descriptors_few(void)
{
        long fd = rt_syscall6(SYS_openat, AT_FDCWD, (long)"/proc/self/maps", O_RDONLY | O_CLOEXEC, 0, 0, 0);

        if (fd >= 0)
                rt_syscall6(SYS_close, fd, 0, 0, 0, 0, 0);
        return fd == -EMFILE;
}

const char *kernel_save(bool traps)
{
        const char *why = NULL, *of_descriptors;

        if (descriptors_few())
                return "a limit of so few descriptors (RLIMIT_NOFILE) that heddle cannot open files in its process";
        filtered = traps;
        rt.up->unfiltered = !filtered;
        maps_each(look_for_shared, &why);
        rt_copy(memory_saved, memory_limits, sizeof memory_limits);
        files_save();
        children_save();
        of_descriptors = descriptor_save(!filtered);
        assumed_init();
        saved_umask = (uint32_t)rt_syscall6(SYS_umask, 077, 0, 0, 0, 0, 0);
        rt_syscall6(SYS_umask, saved_umask, 0, 0, 0, 0, 0);
        if (timer_caught())
                why = timer_refused;
        disarm();
        signal_save();
        area_save();
        if (!filtered) {
                save_cwd();
                for (int i = 0; i < RLIM_NLIMITS; i++)
                        rt_syscall6(SYS_prlimit64, 0, i, 0, (long)&limits[i], 0, 0);
                limited = (1u << RLIM_NLIMITS) - 1;
        }
        return why ? why : of_descriptors;
}

void kernel_saved(void)
{
        if (!filtered)
                saved_maps = fingerprint_maps();
}

void kernel_finish(void)
{
        const char *why = NULL;

        if (filtered || !rt.live || rt.down->isolate == WIRE_ISOLATE_FORK)
                return;
        if (fingerprint_maps() != saved_maps)
                why = "the program maps or unmaps memory while it runs, and seccomp is not permitted here";
        else if (!descriptor_backed_up())
                why = "the program closes all descriptors, and seccomp is not permitted here";
        if (!why)
                return;
        rt.up->restorable = 0;
        rt_text(rt.up->restore_text, WIRE_TEXT, why);
}

long kernel_chdir(long nr, const long *a)
{
        save_cwd();
        moved = true;
        return rt_syscall6(nr, a[0], 0, 0, 0, 0, 0);
}

long kernel_umask(const long *a)
{
        masked = true;
        return rt_syscall6(SYS_umask, a[0], 0, 0, 0, 0, 0);
}

long kernel_timer(long nr, const long *a)
{
        const struct itimerval *v = (const struct itimerval *)a[1];
        long which = nr == SYS_alarm ? ITIMER_REAL : a[0];

        if ((nr == SYS_alarm ? a[0] != 0 : v && runs(v)) && which >= ITIMER_REAL && which <= ITIMER_PROF &&
            signal_caught(timer_signals[which]))
                exec_end_text(WIRE_END_UNSUPPORTED, 0, timer_refused);
        timed = true;
        return rt_syscall6(nr, a[0], a[1], a[2], 0, 0, 0);
}

static long memory_limit(struct memory_limit *m, long which, const struct rlimit *new, struct rlimit *old)
{
        if (!m->known)
                rt_syscall6(SYS_prlimit64, 0, which, 0, (long)&m->value, 0, 0);
        m->known = true;
        if (new &&new->rlim_cur > new->rlim_max)
                return -EINVAL;
        if (new &&new->rlim_max > m->value.rlim_max)
                return -EPERM;
        if (old)
                *old = m->value;
        if (new)
                m->value = *new;
        return 0;
}

/* setrlimit, getrlimit and prlimit64; a change of another process's limits is its own affair. */
long kernel_limit(long nr, const long *a)
{
        bool both = nr == SYS_prlimit64, ours = !both || !a[0] || a[0] == rt_syscall6(SYS_getpid, 0, 0, 0, 0, 0, 0);
        long which = both ? a[1] : a[0];
        const struct rlimit *new = (const struct rlimit *)(both ? a[2] : nr == SYS_setrlimit ? a[1] : 0);
        struct rlimit *old = (struct rlimit *)(both ? a[3] : nr == SYS_getrlimit ? a[1] : 0);

        if (ours && (which == RLIMIT_DATA || which == RLIMIT_AS))
                return memory_limit(&memory_limits[which == RLIMIT_AS], which, new, old);
        if (ours && new &&which >= 0 && which < RLIM_NLIMITS && !(limited & 1u << which)) {
                rt_syscall6(SYS_prlimit64, 0, which, 0, (long)&limits[which], 0, 0);
                limited |= rt.live ? 1u << which : 0;
        }
        return rt_syscall6(nr, a[0], a[1], a[2], a[3], 0, 0);
}

static void restore_limits(void)
{
        for (int i = 0; i < RLIM_NLIMITS; i++)
                if (limited & 1u << i)
                        rt_syscall6(SYS_prlimit64, 0, i, (long)&limits[i], 0, 0, 0);
        if (filtered)
                limited = 0;
}

void kernel_restore(void)
{
        bool all = !filtered;

        area_restore();
        descriptor_restore(all);
        files_restore(false);
        children_restore();
        signal_restore(all);
        rt_copy(memory_limits, memory_saved, sizeof memory_limits);
        if (limited)
                restore_limits();
        if ((all || moved) && cwd >= 0)
                rt_syscall6(SYS_fchdir, cwd, 0, 0, 0, 0, 0);
        if (all || masked)
                rt_syscall6(SYS_umask, saved_umask, 0, 0, 0, 0, 0);
        if (all || timed)
                disarm();
        moved = masked = timed = false;
}

bool kernel_is_unchanged(void)
{
        return filtered && !limited && !moved && !masked && !timed && area_is_unchanged() &&
               descriptor_is_unchanged() && files_none() && signal_is_unchanged();
}

bool kernel_is_as_saved(void)
{
        return kernel_is_unchanged() && descriptor_is_as_saved();
}

void kernel_restore_shared(void)
{
        descriptor_restore_shared();
        files_restore(true);
}
