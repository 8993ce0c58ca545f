/* What is known of a data race, and what follows from it. */
#include "trace/race.h"

enum race_verdict race_verdict(const struct race *r, bool complete)
{
        if (r->failing)
                return RACE_FAILING;
        if (!complete || !r->points || r->unsure)
                return RACE_UNTESTED;
        if (r->orders == (RACE_FORWARD | RACE_BACKWARD))
                return RACE_BENIGN;
        return r->partial ? RACE_UNTESTED : RACE_IMPOSSIBLE;
}

const char *race_verdict_name(enum race_verdict v)
{
        static const char *const names[] = {
                [RACE_UNTESTED] = "untested",
                [RACE_FAILING] = "failing",
                [RACE_BENIGN] = "benign",
                [RACE_IMPOSSIBLE] = "impossible",
        };
        return names[v];
}

const char *race_kind_name(enum race_kind k)
{
        static const char *const names[RACE_KINDS] = {
                [RACE_READ] = "read",
                [RACE_WRITE] = "write",
                [RACE_ATOMIC_READ] = "atomic read",
                [RACE_ATOMIC_WRITE] = "atomic write",
                [RACE_FREE] = "free",
                [RACE_UNMAP] = "unmap",
        };
        return (unsigned)k < RACE_KINDS ? names[k] : "?";
}

bool race_same(const struct race *a, const struct race *b)
{
        for (int i = 0; i < 2; i++)
                if (a->access[i].site != b->access[i].site || a->access[i].kind != b->access[i].kind)
                        return false;
        return true;
}

void race_merge(struct race *to, const struct race *from)
{
        to->count += from->count;
        to->failing += from->failing;
        to->orders |= from->orders;
        to->leaky += from->leaky;
        to->unsure = to->unsure || from->unsure;
        to->candidate = to->candidate && from->candidate;
        to->points = to->points && from->points;
        to->partial = true;
}
