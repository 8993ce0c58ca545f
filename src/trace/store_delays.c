/*
 * One walk over the trace with the list of stores that wait.  Buffers are first in, first out, under PSO too (one for each
 * place): the n-th entry of a buffer brings its n-th store to memory.
 */
#include "trace/store_delays.h"

#include <stdlib.h>

#include "base/vec.h"
#include "op/op.h"

struct walk {
        const struct trace *t;
        struct delay *of;
        VEC(uint32_t) waits; /* stores, the oldest first */
};

static bool overlap(const struct wire_event *a, const struct wire_event *b)
{
        return a->obj < b->obj + b->size && b->obj < a->obj + a->size;
}

/* Entry i of a buffer: its oldest store reaches memory.  Those of the same thread that are older have been overtaken. */
static void reach(struct walk *w, uint32_t i)
{
        const struct trace *t = w->t;
        uint32_t k = 0, n = w->waits.n;

        while (k < n && t->events[w->waits.at[k]].choice != t->events[i].actor)
                k++;
        if (k == n)
                return;
        w->of[i].pair = w->waits.at[k];
        w->of[w->waits.at[k]].pair = i;
        for (uint32_t j = 0; j < k; j++) {
                struct delay *older = &w->of[w->waits.at[j]];
                if (t->events[w->waits.at[j]].actor == trace_owner(t, t->events[i].actor) && older->own == DELAYS_NONE)
                        older->own = i;
        }
        for (w->waits.n--; k < w->waits.n; k++)
                w->waits.at[k] = w->waits.at[k + 1];
}

/* Entry i touches memory: which stores wait at that time?  `whole`: the load that it is a part of. */
static void touch(struct walk *w, uint32_t i, uint32_t whole)
{
        const struct wire_event *e = &w->t->events[i];
        uint32_t owner = trace_owner(w->t, e->actor);

        for (uint32_t k = 0; k < w->waits.n; k++) {
                uint32_t s = w->waits.at[k];
                const struct wire_event *store = &w->t->events[s];
                struct delay *d = &w->of[s];
                if (store->actor == owner) {
                        if (e->mode == WIRE_MODE_READ && op_object(e->op) == OP_OBJ_MEMORY && d->own == DELAYS_NONE)
                                d->own = whole;
                        if (e->mode == WIRE_MODE_FORWARD && overlap(store, e))
                                w->of[whole].pair = s;
                } else if (e->mode != WIRE_MODE_FORWARD && overlap(store, e)) {
                        w->of[whole].past = s;
                        if (d->past == DELAYS_NONE)
                                d->past = whole;
                }
        }
}

static bool step(struct walk *w, uint32_t i, uint32_t *load)
{
        const struct wire_event *e = &w->t->events[i];
        bool memory = op_object(e->op) == OP_OBJ_MEMORY || op_object(e->op) == OP_OBJ_SPINLOCK;

        if (op_has(e->op, OPF_LOADS))
                *load = i;
        if (trace_is_buffer(w->t, e->actor))
                reach(w, i);
        if (memory && e->op != OP_OBSERVE && e->mode != WIRE_MODE_NONE)
                touch(w, i, e->op == OP_FORWARD ? *load : i);
        if (!(e->weak & WIRE_WEAK_BUFFERED))
                return true;
        if (!vec_reserve(&w->waits, 1))
                return false;
        *vec_push(&w->waits) = i;
        return true;
}

int delays_init(struct delays *d, const struct trace *t)
{
        struct walk w = {.t = t};
        uint32_t i = 0, load = 0;
        bool ok = true;

        *d = (struct delays){.t = t};
        while (i < t->n_events && !(t->events[i].weak & WIRE_WEAK_BUFFERED))
                i++;
        if (i == t->n_events)
                return 0;
        w.of = malloc(t->n_events * sizeof *w.of);
        for (i = 0; w.of && i < t->n_events; i++)
                w.of[i] = (struct delay){DELAYS_NONE, DELAYS_NONE, DELAYS_NONE};
        for (i = 0; w.of && i < t->n_events && ok; i++)
                ok = step(&w, i, &load);
        vec_fini(&w.waits);
        if (!ok) {
                free(w.of);
                w.of = NULL;
        }
        d->of = w.of;
        return w.of ? 0 : -1;
}

void delays_fini(struct delays *d)
{
        free(d->of);
        d->of = NULL;
}

struct delay delays_of(const struct delays *d, uint32_t i)
{
        return d->of ? d->of[i] : (struct delay){DELAYS_NONE, DELAYS_NONE, DELAYS_NONE};
}

bool delays_hidden(const struct delays *d, uint32_t i)
{
        const struct wire_event *e = &d->t->events[i];

        if (!d->of)
                return false;
        if (e->weak & WIRE_WEAK_BUFFERED)
                return d->of[i].past == DELAYS_NONE;
        return d->of[i].pair != DELAYS_NONE && d->of[d->of[i].pair].past == DELAYS_NONE;
}
