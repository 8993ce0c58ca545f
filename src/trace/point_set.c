/* What became of a set of preemption points, in words. */
#include "trace/point_set.h"

const char *point_set_state_name(enum point_set_state state)
{
        static const char *const names[] = {
                [POINT_SET_PENDING] = "not finished", [POINT_SET_SUSPENDED] = "suspended",
                [POINT_SET_DONE] = "verified",        [POINT_SET_FAILING] = "failing",
                [POINT_SET_CANCELLED] = "cancelled",
        };
        return names[state];
}
