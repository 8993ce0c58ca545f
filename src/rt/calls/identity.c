/*
 * Changes of the users and groups of the process.
 *
 * libc asks every thread of the kernel to make such a change, by a signal.  Those that lend the fibers their stacks never answer, and
 * need not: all threads of the program run on this one.  A change cannot be undone, so an execution that makes one runs in a
 * process of its own.
 */
#include <errno.h>
#include <grp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rt/calls/calls.h"
#include "rt/calls/effect.h"
#include "rt/real.h"
#include "rt/rt.h"
#include "rt/threads.h"
#include "rt/util.h"
#include "rt/world/restorable.h"

#define GROUPS 256 /* of one user, at most */
#define KEEP   UINT32_MAX

static int make(long nr, long a, long b, long c, bool changes)
{
        long result;

        if (changes)
                kernel_cannot_restore("the program changes its users or groups while it runs");
        result = rt_syscall6(nr, a, b, c, 0, 0, 0);
        if (result < 0)
                errno = (int)-result;
        return result < 0 ? -1 : 0;
}

/* nr: setuid or a relative; the ids that it would set: real, effective, saved. */
static int set_ids(long nr, long look, uint32_t real, uint32_t effective, uint32_t saved, uintptr_t site)
{
        uint32_t now[3] = {0, 0, 0};
        bool one = nr == SYS_setuid || nr == SYS_setgid;

        effect_one(EFFECT_CHANGE(STATE_IDENTITY), site);
        rt_syscall6(look, (long)&now[0], (long)&now[1], (long)&now[2], 0, 0, 0);
        return make(nr, one ? effective : real, effective, saved,
                    (real != KEEP && real != now[0]) || (effective != KEEP && effective != now[1]) ||
                            (saved != KEEP && saved != now[2]));
}

static int set_groups(size_t n, const gid_t *list, uintptr_t site)
{
        uint32_t now[GROUPS];
        bool same;

        call_in(list, n * sizeof *list, site);
        effect_one(EFFECT_CHANGE(STATE_IDENTITY), site);
        same = rt_syscall6(SYS_getgroups, GROUPS, (long)now, 0, 0, 0, 0) == (long)n;
        for (size_t i = 0; same && i < n; i++)
                same = now[i] == list[i];
        return make(SYS_setgroups, (long)n, (long)list, 0, !same);
}

RT_EXPORT int setuid(uid_t id)
{
        return rt_cur ? set_ids(SYS_setuid, SYS_getresuid, id, id, id, RT_SITE()) : RT_REAL(setuid)(id);
}

RT_EXPORT int seteuid(uid_t id)
{
        return rt_cur ? set_ids(SYS_setresuid, SYS_getresuid, KEEP, id, KEEP, RT_SITE()) : RT_REAL(seteuid)(id);
}

RT_EXPORT int setreuid(uid_t real, uid_t effective)
{
        return rt_cur ? set_ids(SYS_setreuid, SYS_getresuid, real, effective, effective, RT_SITE())
                      : RT_REAL(setreuid)(real, effective);
}

RT_EXPORT int setresuid(uid_t real, uid_t effective, uid_t saved)
{
        return rt_cur ? set_ids(SYS_setresuid, SYS_getresuid, real, effective, saved, RT_SITE())
                      : RT_REAL(setresuid)(real, effective, saved);
}

RT_EXPORT int setgid(gid_t id)
{
        return rt_cur ? set_ids(SYS_setgid, SYS_getresgid, id, id, id, RT_SITE()) : RT_REAL(setgid)(id);
}

RT_EXPORT int setegid(gid_t id)
{
        return rt_cur ? set_ids(SYS_setresgid, SYS_getresgid, KEEP, id, KEEP, RT_SITE()) : RT_REAL(setegid)(id);
}

RT_EXPORT int setregid(gid_t real, gid_t effective)
{
        return rt_cur ? set_ids(SYS_setregid, SYS_getresgid, real, effective, effective, RT_SITE())
                      : RT_REAL(setregid)(real, effective);
}

RT_EXPORT int setresgid(gid_t real, gid_t effective, gid_t saved)
{
        return rt_cur ? set_ids(SYS_setresgid, SYS_getresgid, real, effective, saved, RT_SITE())
                      : RT_REAL(setresgid)(real, effective, saved);
}

RT_EXPORT int setgroups(size_t n, const gid_t *list)
{
        return rt_cur ? set_groups(n, list, RT_SITE()) : RT_REAL(setgroups)(n, list);
}

RT_EXPORT int initgroups(const char *user, gid_t group)
{
        gid_t list[GROUPS];
        int n = GROUPS;

        if (!rt_cur)
                return RT_REAL(initgroups)(user, group);
        if (getgrouplist(user, group, list, &n) < 0)
                n = GROUPS;
        return set_groups((size_t)n, list, RT_SITE());
}
