/* See points.h. */
#include "rt/sched/points.h"

#include "rt/signal/points.h"
#include "rt/threads.h"
#include "rt/util.h"

#define SLOTS (WIRE_MAX_SITES * 4)

static uint64_t sites[SLOTS]; /* of preemption points, 0: free */
static uint32_t n_sites, sites_seq;

static uint32_t slot_of(uint64_t site)
{
        uint32_t i = (uint32_t)((site * UINT64_C(0x9e3779b97f4a7c15)) >> 40) % SLOTS;

        while (sites[i] && sites[i] != site)
                i = (i + 1) % SLOTS;
        return i;
}

void point_init_run(void)
{
        const struct wire_down *d = rt.down;

        if (sites_seq == d->sites_seq)
                return;
        sites_seq = d->sites_seq;
        n_sites = d->n_sites < WIRE_MAX_SITES ? d->n_sites : WIRE_MAX_SITES;
        rt_zero(sites, sizeof sites);
        for (uint32_t i = 0; i < n_sites; i++)
                sites[slot_of(d->sites[i])] = d->sites[i];
}

/* Handlers come between any two accesses, whatever the points for threads are; not in the smaller sets of deepen, which prove nothing. */
static bool handler_waits(const struct thread *t, uint32_t op)
{
        return RT_UNLIKELY(t->signals.ready) && delivery_at(op) &&
               (rt.down->points & WIRE_POINT_SYNC) == WIRE_POINT_SYNC;
}

bool point_here(struct thread *t, uint32_t op)
{
        uint32_t class = op_point_class(op);

        if (!class)
                return true;
        if (!(rt.down->points & class) && !(n_sites && sites[slot_of(t->pend.site)]) && !handler_waits(t, op))
                return false;
        if (RT_LIKELY(!t->marks.sealed))
                return true;
        if (!t->marks.seal_begins)
                return false;
        t->marks.seal_begins = false;
        return true;
}
