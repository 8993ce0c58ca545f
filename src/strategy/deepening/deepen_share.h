/* deepen.c, shared by several explorers: no interface for others. */
#ifndef HEDDLE_STRATEGY_DEEPENING_DEEPEN_SHARE_H
#define HEDDLE_STRATEGY_DEEPENING_DEEPEN_SHARE_H

#include "strategy/deepening/deepen_sets.h"
#include "strategy/share.h"

#define DEEPEN_PROBES 2

struct deepen {
        struct strategy base;
        struct deepen_jobs jobs;
        VEC(uint64_t) counts; /* of each race: executions that had shown it before the last one */
        struct deepen_job *now, *last;
        double began;                          /* the execution under way */
        bool fresh;                            /* the last trace was of the present job */
        struct strategy *probe[DEEPEN_PROBES]; /* random schedules; NULL: none are wanted */
        uint32_t probes;                       /* that are left of the present job's turn */
        uint64_t probed, cost;                 /* executions, and transitions, of all probes */
};

/* What sets depend on of a race. */
struct deepen_race deepen_brief(const struct strategy *s, const struct race *r);

/* deepen.c's plan, and the explorers' part: such a strategy has share_ops only for its searches. */
extern const struct plan_ops deepen_plan;
extern const struct share_ops deepen_share;

#endif
