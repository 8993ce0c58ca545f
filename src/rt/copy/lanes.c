/* Vector accesses under a mask, as a target performs them: each lane is a copy of its own. */
#include "rt/copy/lanes.h"

#include "rt/copy/range.h"
#include "rt/notes.h"

LANES(range_copy)

/* An intrinsic that the instrumenter does not know comes next. */
RT_EXPORT void __heddle_not_covered(const char *intrinsic);
void __heddle_not_covered(const char *intrinsic)
{
        if (rt_cur && rt.live && ex.n_threads > 1)
                rt_note_incomplete(REASON_INTRINSIC, intrinsic);
}
