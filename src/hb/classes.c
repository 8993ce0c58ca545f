/*
 * Two executions are of one class when they have the same happens-before graph.  Its hash is the sum of the hashes of its
 * transitions; that of a transition is made of its actor, its accesses, the answers in it and the hashes of the last
 * transitions of each actor that happen before it.
 *
 * A join that finds its thread ended is a part of what comes before it, one that waits is a transition of its own: both
 * are omitted, so that the graph does not tell.  What they order is in the clocks of what follows.  So are the other
 * operations on threads that touch nothing, and stores that go to a buffer: their flushes tell all.
 */
#include "hb/classes.h"

#include "base/hash.h"
#include "op/op.h"

static bool no_race(void *arg, uint32_t i, uint32_t actor, const uint32_t *past)
{
        (void)arg, (void)i, (void)actor, (void)past;
        return true;
}

/* The hash of transition k; `counts`: it is more than a join. */
static uint64_t hash_of(const struct classes *c, uint32_t k, const struct wire_event *e, uint32_t n, bool *counts)
{
        const uint32_t *clock = causality_clock(&c->causality, k);
        uint32_t before = c->causality.trans.at[k].prev;
        uint64_t own = before == CAUSALITY_NONE ? 0 : c->hashes.at[before], h = hash_mix(e->actor + 1, own);

        *counts = false;
        for (uint32_t i = 0; i < n; i++) {
                bool load = op_has(e[i].op, OPF_LOADS); /* from the own buffer or from memory */

                if (op_has(e[i].op, OPF_ORDERS_ONLY) || e[i].op == OP_FORWARD || (e[i].weak & WIRE_WEAK_BUFFERED))
                        continue;
                *counts = true;
                h = hash_mix(hash_mix(h, e[i].obj),
                             (uint64_t)e[i].size << 16 | (uint64_t)e[i].op << 8 | (load ? 0 : e[i].mode));
                if (e[i].op != OP_BARRIER_WAIT)
                        h = hash_mix(h, e[i].choice);
        }
        if (!*counts)
                return own;
        for (uint32_t r = 0; r < c->causality.stride; r++)
                if (r != e->actor && clock[r])
                        h = hash_mix(hash_mix(h, r), c->hashes.at[clock[r] - 1]);
        return h;
}

/* Arrivals at a barrier commute: which thread is the serial one matters, not that the last arrival decides it. */
static uint64_t answers_of(const struct wire_event *e, uint32_t n)
{
        uint64_t sum = 0;

        for (uint32_t i = 0; i + 2 < n; i++) /* the third entry is that of the round */
                if ((e[i].flags & WIRE_EV_SCHED) && e[i].op == OP_BARRIER_WAIT)
                        sum += hash_mix(e[i + 2].obj, e[i].choice);
        return sum;
}

static bool hash_trace(struct classes *c, const struct trace *t, uint64_t *sum)
{
        uint32_t at = 0, n;
        bool counts;

        causality_reset(&c->causality);
        c->hashes.n = 0;
        *sum = 1;
        while (at < t->n_events && !(t->events[at].flags & WIRE_EV_SCHED))
                at++;
        if (!vec_reserve(&c->hashes, t->n_transitions + 1) || !causality_prologue(&c->causality, t->events, at))
                return false;
        for (; at < t->n_events; at += n) {
                n = trace_transition_length(t, at);
                if (!causality_push(&c->causality, &t->events[at], n, no_race, NULL))
                        return false;
                uint64_t h = hash_of(c, c->hashes.n, &t->events[at], n, &counts);
                *vec_push(&c->hashes) = h;
                *sum += (counts ? h : 0) + answers_of(&t->events[at], n);
        }
        return true;
}

bool classes_hash(struct classes *c, const struct trace *t, uint64_t *hash)
{
        if (!c->ready && !causality_init(&c->causality))
                return false;
        c->ready = true;
        return hash_trace(c, t, hash);
}

int classes_add(struct classes *c, const struct trace *t)
{
        uint64_t sum;

        if (!classes_hash(c, t, &sum))
                return -1;
        if (ptrmap_find(&c->seen, sum))
                return 0;
        return ptrmap_insert(&c->seen, sum, c) ? -1 : 1;
}

void classes_fini(struct classes *c)
{
        if (c->ready)
                causality_fini(&c->causality);
        ptrmap_fini(&c->seen, NULL);
        vec_fini(&c->hashes);
        *c = (struct classes){0};
}
