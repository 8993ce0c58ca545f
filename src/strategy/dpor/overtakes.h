/* Loads from a store buffer: what must not come before or after them in a reversal, though it does not conflict. */
#ifndef HEDDLE_STRATEGY_DPOR_OVERTAKES_H
#define HEDDLE_STRATEGY_DPOR_OVERTAKES_H

#include "base/deadline.h"
#include "op/op.h"
#include "strategy/dpor/optimal_state.h"

/* Weak memory: a load from the own buffer, and a write of another actor there: do they conflict, the store having reached
 * memory with a transition up to `upto`? */
static inline bool overtaken(const struct optimal *o, const struct wire_access *load, const struct wire_access *write,
                             uint32_t writer, uint32_t upto)
{
        uint32_t buffer = WIRE_FORWARD_BUFFER(load->value), number = WIRE_FORWARD_NUMBER(load->value);
        const struct causality *c = &o->path.causality;

        return load->mode == WIRE_MODE_FORWARD && write->mode != WIRE_MODE_FORWARD && writer != buffer &&
               buffer < c->stride && number && number <= c->actors[buffer].all.n &&
               c->actors[buffer].all.at[number - 1] <= upto && op_overlap(load, write);
}

/* The same for what actor q would touch, if it came first in what is left of v, and transition t of v. */
static inline bool overtakes_buffered(const struct optimal *o, uint32_t q, const struct wire_access *fp, uint32_t n,
                                      uint32_t t)
{
        const struct path_node *node = &o->path.nodes.at[t];

        for (uint32_t i = 0; i < n; i++)
                for (uint32_t k = 0; k < node->n_acc && !late_soon(); k++) {
                        const struct wire_access *a = &o->path.accesses.at[node->acc + k];
                        uint32_t buffer = WIRE_FORWARD_BUFFER(a->value);

                        if (overtaken(o, &fp[i], a, node->actor, t))
                                return true;
                        if (a->mode == WIRE_MODE_FORWARD && buffer < o->path.causality.stride &&
                            overtaken(o, a, &fp[i], q, o->met[buffer]))
                                return true;
                }
        return false;
}

static inline bool overtakes(const struct optimal *o, uint32_t q, const struct wire_access *fp, uint32_t n, uint32_t t)
{
        return o->path.causality.stores.n && overtakes_buffered(o, q, fp, n, t);
}

#endif
