/*
 * Watches of files (inotify).  Changes that the program itself makes to its private copies are not among their events, and those that others make
 * come at any time: neither is covered.
 */
#include <sys/inotify.h>

#include "rt/calls/effect.h"
#include "rt/notes.h"
#include "rt/real.h"
#include "rt/rt.h"
#include "rt/threads.h"

static void watches(const char *name, uintptr_t site)
{
        const uint64_t none[6] = {0};

        if (!rt_cur)
                return;
        effect_run(effect_find(name), none, site);
        rt_note_incomplete(REASON_CALL, name);
}

RT_EXPORT int inotify_init(void)
{
        watches("inotify_init", RT_SITE());
        return RT_REAL(inotify_init)();
}

RT_EXPORT int inotify_init1(int flags)
{
        watches("inotify_init1", RT_SITE());
        return RT_REAL(inotify_init1)(flags);
}
