/*
 * A failing execution as a list of decisions that can be changed and run again, and what each run is worth.
 */
#ifndef HEDDLE_MINIMIZE_DECISION_LIST_H
#define HEDDLE_MINIMIZE_DECISION_LIST_H

#include "base/vec.h"
#include "engine/judge.h"
#include "engine/run.h"

struct plan {
        VEC(struct wire_decision) steps; /* transitions up to the failure */
        uint32_t preemptions, switches;
};

/* The failure that all these runs are about, and until when they may continue. */
struct quest {
        struct run *run;     /* runs what is tried */
        struct judge *judge; /* ... and says what it shows */
        enum finding_kind kind;
        uint64_t key;
        double until;   /* of the work under way: clock_now() */
        uint32_t flags; /* of every run, in addition to those of the schedule */
        uint64_t runs;
        bool grew; /* memory turned out to be shared: lists of decisions mean something else now */
        struct wire_failure room[WIRE_MAX_FAILURES]; /* of the last run's trace, where one was added to them */
        bool broken; /* the program cannot be run any further; or the user wants to stop */
};

/* What a run showed. */
enum quest_answer {
        QUEST_SHOWN, /* the failure */
        QUEST_ALIKE, /* another one of its kind */
        QUEST_ENDED, /* an end without */
        QUEST_CUT,   /* no end: redundant, an assumption, a list that cannot be followed */
        QUEST_STOP,  /* nothing was run, or it does not count: time, grew, broken */
};

/* Runs what is in the schedule of the run.  `known`: entries that were seen in an earlier run. */
enum quest_answer quest_run(struct quest *q, uint32_t known, uint32_t *failure);

/* The same for decisions: n that must be followed, then `hints` as far as they can be, then the tail policy. */
enum quest_answer quest_follow(struct quest *q, const struct wire_decision *d, uint32_t n, uint32_t hints,
                               uint32_t tail, uint64_t seed, uint32_t *failure);

/* What the last run did up to a failure of it.  It must have recorded which threads were enabled.  false: out of memory. */
bool plan_take(struct plan *p, const struct trace *t, uint32_t failure);

/* Is a shown before b: fewer preemptions, else fewer switches, else fewer steps? */
bool plan_better(const struct plan *a, const struct plan *b);

/* *p becomes *q, which is emptied. */
void plan_move(struct plan *p, struct plan *q);
void plan_fini(struct plan *p);

#endif
