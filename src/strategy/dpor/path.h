/*
 * The path of a depth-first reduction: one node per transition of the current execution, with sleep sets.
 *
 * A node is the state before its transition.  It knows the transition that was taken last and which actors need not go first
 * from there (`sleep`): those that slept on arrival, and those whose subtree is done, each with the footprint that its
 * transition had.  What must still go first is the strategy's own; it keeps an array beside `nodes`.
 *
 *     nodes:   0 . . . . . branch . . . . . n
 *              `-- replayed --'   `-- new --'
 *
 * A transition with choices in it has branches, one for each list of choice values.  An atomic section may have several
 * choices: it is one transition all the same, and each choice is a *part* of it.  All branches are run from the node, one
 * after the other, before another actor.  Each sleeps by itself, with what it touched: it is woken by what conflicts with
 * it, and when an actor some of whose branches still sleep (`partial`) runs, these are not run again.
 */
#ifndef HEDDLE_STRATEGY_DPOR_PATH_H
#define HEDDLE_STRATEGY_DPOR_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "hb/causality.h"
#include "strategy/strategy.h"
#include "wire/wire.h"

struct path_sleeper {
        uint32_t fp, n;             /* in footprints */
        uint32_t branches, n_words; /* in values: the branches that sleep so; none: the transition has one only */
        uint16_t actor;
        uint8_t stale; /* the strategy's own (enum stale in optimal.h); inherited, and 0 for an actor that falls asleep */
        uint8_t partial; /* other branches of the actor were woken: it does not sleep */
};

/* A sleeper that the transition of a node woke. */
struct path_woken {
        uint32_t node, sleeper;
};

/* A decision of a transition: its first one, or a choice inside an atomic section. */
struct path_part {
        uint64_t obj;
        uint32_t choice, next_choice;
        uint8_t op; /* OP_NONE: it has not been run */
};

struct path_node {
        uint32_t entry;          /* of its first entry in the trace */
        uint32_t decision;       /* index of its first decision */
        uint32_t part, n_parts;  /* in parts */
        uint32_t sleep, n_sleep; /* in sleepers */
        uint32_t inherited;      /* so many of them slept on arrival */
        uint32_t acc, n_acc;     /* footprint of the transition taken */
        uint32_t fp_top;         /* the footprints above belong to deeper nodes */
        uint32_t value_top;      /* ... and the values */
        uint32_t woken;          /* those that earlier nodes woke */
        uint16_t actor;
        uint8_t op;
        uint8_t more;      /* there are choice values that come after those of the transition */
        uint8_t other;     /* its choice values were given: it is not the first branch that was tried */
        uint8_t redundant; /* the branch sleeps: what follows it has been run */
        uint8_t waits;     /* whether its transition is possible is not known */
        uint8_t wasted;    /* it had to wait, which was not known: nothing follows it */
};

struct path {
        struct causality causality;
        VEC(struct path_node) nodes;
        VEC(struct path_sleeper) sleepers;
        VEC(struct path_woken) woken;
        VEC(struct path_part) parts;
        VEC(struct wire_access) footprints; /* of sleepers */
        VEC(uint32_t) values;             /* of sleepers: for each branch the number of its parts, and their choices */
        VEC(struct wire_access) accesses; /* of transitions on the path */
        VEC(uint32_t) scratch;            /* choice values of a transition */
        uint32_t branch;                  /* the node whose transition the next trace changes */
        uint32_t written;                 /* decisions in the prefix that are as they should be */
        uint64_t run;                     /* the number of the trace that was learnt last */
        uint32_t loaded;                  /* nodes whose subtrees may have been explored elsewhere, in part */
        bool started;
        bool given;     /* a schedule was given out whose trace has not been learnt */
        bool sleepless; /* no actor falls asleep */
        bool rebuild;   /* the path was loaded: its causality comes with the next trace */
};

/* Called while a strategy learns; all but `pushed` and `race` may be NULL.  false: out of memory. */
struct path_hooks {
        /* There are so many actors. */
        bool (*widen)(void *arg, uint32_t actors);
        /* A node was pushed, with index i. */
        bool (*pushed)(void *arg, uint32_t i);
        /* The transition of node i is known, its clock not yet. */
        bool (*taken)(void *arg, uint32_t i);
        /* A race of transition i with one of `actor`: the last one pushed, or, with causality.pending, that one. */
        causality_race race;
        /* All transitions of an execution are there; blocked threads are still to come.  0, -ENOMEM or -EINTR. */
        int (*all)(void *arg);
        /* The execution was cut at --depth: what its threads would have done is not known, so this one must go first from
         * node i, too. */
        bool (*open)(void *arg, uint32_t i, uint32_t actor);
};

bool path_init(struct path *p);
void path_fini(struct path *p);
void path_reset(struct path *p);

/* Takes the transition of node i back, so that its branch sleeps there and i becomes the top, and lets `actor` go from i
 * instead; or its own actor with the next branch, if there is one (`more`). */
bool path_turn(struct path *p, uint32_t i, uint32_t actor);
bool path_turn_branch(struct path *p, uint32_t i);

/* The part of node i whose choice the next branch changes.  There is one: `more`. */
uint32_t path_next_part(const struct path *p, uint32_t i);
/* The choices of node i's transition, and of the branch after it; *n of them, 0: it has one branch only, or there is no
 * other one.  They stay until the next call; NULL: out of memory. */
const uint32_t *path_values(struct path *p, uint32_t i, uint32_t *n);
const uint32_t *path_next_values(struct path *p, uint32_t i, uint32_t *n);

/* Nothing is left. */
void path_clear(struct path *p);

/* The schedule that continues from the node that was turned, or the first one.  1, or -E2BIG. */
int path_schedule(struct path *p, struct schedule *out);

/* Takes a trace in.  0, -ENOMEM, -EINVAL: it does not follow the schedule, -EINTR: it became late(), or 1: it is redundant,
 * for a branch that sleeps was run in it. */
int path_learn(struct path *p, const struct trace *t, const struct path_hooks *hooks, void *arg);

/* A branch of the actor sleeps at the top node n: its choices (none: there is one branch only), and what it touches. */
bool path_put_to_sleep(struct path *p, struct path_node *n, uint32_t actor, const uint32_t *values, uint32_t n_values,
                       const struct wire_access *acc, uint32_t n_acc);

/* Do the invariants hold?  Parts, sleepers and accesses are stacks beside that of the nodes; those that slept on arrival slept
 * at the node before; the causality has the transitions of the path, but perhaps the last. */
bool path_check(const struct path *p);

/* The first n nodes of the path, the transition of the last one included, in a stream.  load: false if the input is
 * malformed, or out of memory. */
void path_save(const struct path *p, uint32_t n, struct stream *out);
bool path_load(struct path *p, struct stream *in);

/* One more sleeper of a schedule, or more of what the last one touches.  1, or -E2BIG. */
int path_write_sleeper(struct schedule *out, uint32_t actor, const struct wire_access *acc, uint32_t n);

/* Are these accesses such as a trace may have? */
bool path_accesses_valid(const struct wire_access *a, uint32_t n);

/* Reads that wait: the transition that one could have come before (NONE: there is none), those of a trace from this entry on, and
 * the races of threads that wait at the end (false: out of memory). */
uint32_t path_awaits_before(const struct path *p, const struct wire_await *a);
uint32_t path_awaits_from(const struct trace *t, uint32_t entry);
bool path_learn_held(struct path *p, const struct trace *t, const struct path_hooks *hooks, void *arg);

/* Does the actor sleep at the node, with all its branches? */
bool path_sleeps(const struct path *p, const struct path_node *n, uint32_t actor);

/* Does the transition of node i itself sleep there, as a branch? */
bool path_branch_sleeps(const struct path *p, uint32_t i);

/* Might transition t, which is not in this past, keep the operation from running? */
bool path_bars(const struct path *p, const struct wire_access *pending, const uint32_t *past, uint32_t t);

/* Does a sleeper cover transition t, the next one of its actor; NONE: one that is not known? */
bool path_covers(const struct path *p, const struct path_sleeper *s, uint32_t t);

#endif
