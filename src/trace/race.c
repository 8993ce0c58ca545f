/* What is known of a data race, and what follows from it. */
#include "trace/race.h"

#include "op/op.h"

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

uint8_t race_kind_of(const struct wire_event *e)
{
        bool atomic = (e->flags & (WIRE_EV_ATOMIC | WIRE_EV_SECTION)) || e->op == OP_FUTEX_WAIT,
             writes = e->mode == WIRE_MODE_WRITE;

        if (e->op == OP_FREE)
                return RACE_FREE;
        if (e->op == OP_REMAP && writes)
                return RACE_UNMAP;
        return atomic ? writes ? RACE_ATOMIC_WRITE : RACE_ATOMIC_READ : writes ? RACE_WRITE : RACE_READ;
}

uint8_t race_mask(uint64_t g, uint64_t obj, uint32_t size)
{
        uint64_t lo = g << 3 > obj ? 0 : obj & 7;
        uint64_t hi = (g << 3) + 8 < obj + size ? 8 : obj + size - (g << 3);

        return (uint8_t)(((1u << hi) - 1) & ~((1u << lo) - 1));
}

bool race_is_access(const struct wire_event *e)
{
        return op_has(e->op, OPF_RACES) && (e->mode == WIRE_MODE_READ || e->mode == WIRE_MODE_WRITE);
}
