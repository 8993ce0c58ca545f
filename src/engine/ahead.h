/*
 * Executions that were run before they are asked for, with the message of another one (wire/ahead.h).
 *
 * What a strategy asks for is given an answer of these only if it is the same schedule, decision by decision and sleeper by sleeper,
 * and nothing has been learnt since that changes executions: so the search is the same as without.
 */
#ifndef HEDDLE_ENGINE_AHEAD_H
#define HEDDLE_ENGINE_AHEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "strategy/strategy.h"
#include "target/target.h"
#include "wire/ahead.h"

/* What of a message decides an execution, beside the decisions and the sleep set. */
struct ahead_terms {
        uint32_t flags, tail, depth, thread_depth, points, sites_seq, cycles, starts;
        uint32_t n_shared, n_names, n_buffers, n_loops, loop_depth, fair_limit, timeout_limit, wasted_seq;
};

struct ahead {
        uint64_t held;                /* bits: places of `ahead` in the wire that were asked for */
        uint32_t message[WIRE_AHEAD]; /* ... with the message of this number */
        struct ahead_terms terms;     /* of all of them */
        const void *author;           /* of the decisions that they begin with (struct schedule) */
        uint32_t run, used;           /* executions lately */
        uint64_t total;               /* of those that were used */
        uint32_t pause;               /* messages without, where few of them were used */
        bool off;                     /* the program is not one for it */
};

/* Forgets all answers. */
void ahead_drop(struct ahead *a);

/* The answer to this schedule, or NULL: it is to be run. */
const struct wire_ahead_answer *ahead_take(struct ahead *a, struct target *t, const struct schedule *m);

/* Adds to the message of schedule m what the strategy is likely to ask for next.  Is there anything? */
bool ahead_offer(struct ahead *a, struct target *t, const struct schedule *m, const struct strategy *strategy);

#endif
