/* A program that does not do the same again: a decision of the schedule could not be followed. */
#include "analysis/observers.h"

static bool find(const struct trace *t, uint32_t k, enum finding_kind *kind, uint32_t *failure)
{
        if (t->end != WIRE_END_DIVERGED || k)
                return false;
        *kind = FINDING_NONDETERMINISM;
        *failure = UINT32_MAX;
        return true;
}

const struct observer nondeterminism_observer = {.name = "nondeterminism", .find = find};
