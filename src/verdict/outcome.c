/*
 * Outcomes, found by a hash table of their numbers with linear probing, at most half full.
 */
#include "verdict/outcome.h"

#include <stdlib.h>
#include <string.h>

#include "base/stream.h"
#include "op/op.h"

static uint32_t slot_of(const struct result *r, const uint64_t *values)
{
        return (uint32_t)stream_hash(0, values, r->facts.n_observed * sizeof *values) & ((1u << r->outcome_bits) - 1);
}

static bool grow_slots(struct result *r)
{
        uint32_t bits = r->outcome_bits ? r->outcome_bits + 1 : 8, mask = (1u << bits) - 1;
        uint32_t *slots = calloc((size_t)1 << bits, sizeof *slots);

        if (!slots)
                return false;
        free(r->outcome_slots);
        r->outcome_slots = slots;
        r->outcome_bits = bits;
        for (uint32_t i = 0; i < r->n_outcomes; i++) {
                uint32_t h = slot_of(r, r->outcomes[i].values);
                while (slots[h])
                        h = (h + 1) & mask;
                slots[h] = i + 1;
        }
        return true;
}

struct outcome *outcome_get(struct result *r, const uint64_t *values)
{
        size_t size = r->facts.n_observed * sizeof *values;
        struct outcome *all, *o;
        uint32_t h;

        if ((!r->outcome_bits || r->n_outcomes * 2 >= 1u << r->outcome_bits) && !grow_slots(r))
                return NULL;
        for (h = slot_of(r, values); r->outcome_slots[h]; h = (h + 1) & ((1u << r->outcome_bits) - 1)) {
                o = &r->outcomes[r->outcome_slots[h] - 1];
                if (!memcmp(o->values, values, size))
                        return o;
        }
        all = realloc(r->outcomes, (r->n_outcomes + 1) * sizeof *all);
        if (!all)
                return NULL;
        r->outcomes = all;
        o = &all[r->n_outcomes];
        *o = (struct outcome){.values = malloc(size)};
        if (!o->values)
                return NULL;
        memcpy(o->values, values, size);
        r->outcome_slots[h] = ++r->n_outcomes;
        return o;
}

int outcome_note(struct result *r, const struct program *p, const struct trace *t)
{
        uint32_t n = r->facts.n_observed, k = n;
        uint64_t values[n ? n : 1];
        struct outcome *o;

        r->last_outcome = 0;
        if (!n || t->end == WIRE_END_SLEEP)
                return RUN_OK;
        for (uint32_t i = t->n_events; i-- > 0 && k > 0;)
                if (t->events[i].op == OP_OBSERVE)
                        values[--k] = t->events[i].value;
        if (k)
                return RUN_OK; /* it never came to main's return */
        o = outcome_get(r, values);
        if (!o)
                return error_memory(p->why);
        o->executions++;
        r->last_outcome = (uint32_t)(o - r->outcomes) + 1;
        if (!o->schedule)
                o->schedule = program_text(p, t, t->n_events, WIRE_NO_ACTOR, false);
        return o->schedule ? (int)RUN_OK : error_memory(p->why);
}
