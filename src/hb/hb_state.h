/*
 * States along one execution, each represented by the happens-before graph of the transitions that led to it: equivalent
 * paths have the same one.
 */
#ifndef HEDDLE_HB_HB_STATE_H
#define HEDDLE_HB_HB_STATE_H

#include "base/intern.h"
#include "base/stream.h"
#include "hb/causality.h"
#include "trace/trace.h"

struct hb_states {
        struct causality causality;
        const struct trace *trace;
        VEC(uint32_t) entries; /* where each transition begins */
        VEC(uint64_t) marks;   /* what each transition is, its past included; 0: none */
        VEC(uint64_t) words;   /* scratch */
        VEC(uint64_t) last;    /* per actor: the mark of its last transition, in the state at hand */
        uint64_t sum;          /* of the marks of all transitions before it */
        bool exact;            /* marks and states are numbers of `transitions` and `states`, not hashes */
        bool failed;           /* memory ran out: the answers are not valid */
        struct intern transitions, states;
};

bool hb_states_init(struct hb_states *h, bool exact);
void hb_states_fini(struct hb_states *h);
/* Forgets all states. */
void hb_states_reset(struct hb_states *h);

/* Writes what the numbers of states mean, and takes it back; false: it is malformed, or out of memory. */
void hb_states_save(const struct hb_states *h, struct stream *out);
bool hb_states_load(struct hb_states *h, struct stream *in);

/* Where the transitions of an execution begin, and no more of it: false: out of memory. */
bool hb_states_divide(struct hb_states *h, const struct trace *t);

/* Takes an execution in; the state at hand is the first one.  false: out of memory. */
bool hb_states_take(struct hb_states *h, const struct trace *t);

/* Goes over transition k, which comes next. */
void hb_states_step(struct hb_states *h, uint32_t k);

/* The state at hand as one number. */
uint64_t hb_states_number(struct hb_states *h);

/* The state that transition j of the execution, the next one of its actor, would lead to from the state at hand, which is
 * the one before k. */
uint64_t hb_states_foresee(struct hb_states *h, uint32_t j, uint32_t k);

/* The actor's next transition from k on, or CAUSALITY_NONE. */
uint32_t hb_states_next_of(const struct hb_states *h, uint32_t actor, uint32_t k);

/* How many entries the transition has that begins with this one. */
uint32_t hb_states_length(const struct trace *t, uint32_t from);

#endif
