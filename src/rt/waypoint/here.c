/* See here.h.  What is here is a part of the memory that the waypoint covers: it is put back as it was, too. */
#include "rt/waypoint/here.h"

#include "rt/arch/x86_64/fiber.h"
#include "rt/threads.h"

uint32_t waypoint_at = UINT32_MAX;

static bool asked;
static void *sp, *fs;

void waypoint_here(struct thread *t)
{
        waypoint_at = UINT32_MAX;
        if (ex.n_transitions > rt.n_prefix - rt.n_last || ex.n_failures || ex.n_new_shared || ex.sleep_armed ||
            ex.going_on)
                return;
        asked = true;
        fs = t->fiber.fs;
        rt_cur = NULL;
        fiber_switch(&sp, rt.controller_sp, t->fiber.fs);
        rt_cur = t;
}

bool waypoint_is_here(void)
{
        bool is = asked;

        asked = false;
        return is;
}

void waypoint_continue(void)
{
        fiber_switch(&rt.controller_sp, sp, fs);
}
