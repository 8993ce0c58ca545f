/* What calls read and write of the program's memory (calls.h). */
#include "rt/calls/calls.h"

#include "rt/memory/access.h"
#include "rt/memory/access_part.h"
#include "rt/copy/range.h"
#include "rt/copy/step.h"
#include "rt/rt.h"

void call_in(const void *p, size_t n, uintptr_t site)
{
        const struct access_part part = {OP_READ, p, n};

        if (p && n && step_seen(site))
                access_parts(&part, 1, site);
}

void call_out(void *to, const void *from, size_t n, uintptr_t site)
{
        if (to)
                range_put(to, from, n, site);
}
