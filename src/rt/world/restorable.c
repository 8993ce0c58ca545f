/* See restorable.h. */
#include "rt/world/restorable.h"

#include "rt/rt.h"
#include "rt/sched/end.h"
#include "rt/util.h"

void kernel_cannot_restore(const char *why)
{
        if (rt.down->isolate == WIRE_ISOLATE_FORK || !rt.up->running)
                return;
        rt.up->restorable = 0;
        rt_text(rt.up->restore_text, WIRE_TEXT, why);
        exec_end_text(WIRE_END_UNSUPPORTED, 0, why);
}
