/*
 * The algorithms as they were published (S. Huang, thesis, 2019): --mcr published (chapter 3) and switch (chapter 5).
 *
 * They are here to be compared with.  From each execution every read after its prefix is given every other value that a write of
 * the execution has, by a new prefix that begins with the old one; that order is kept from then on, and loses classes.  With
 * `switch` a prefix that swaps two others is omitted (algorithms 7 to 9), which loses more.  With --static published (chapter 4,
 * MCR-S+) reads that nothing depends on need not keep their values, unless they are in the thread of the read and before it; with
 * published-s (MCR-S) not even then.
 */
#ifndef HEDDLE_STRATEGY_MCR_COMPARE_PUBLISHED_H
#define HEDDLE_STRATEGY_MCR_COMPARE_PUBLISHED_H

#include "strategy/mcr/learn.h"
#include "strategy/mcr/seen.h"

struct prefix_step { /* a step of a thread, at this node */
        uint32_t thread, node;
};

struct prefix_range { /* of steps */
        uint32_t first, n;
};

struct prefix {
        struct prefix_range steps;
        uint32_t own;            /* the steps that its parent does not have: the last so many */
        uint64_t value;          /* that the read of the last step is to return */
        uint32_t skips, n_skips; /* sequences that are not to follow it */
};

struct published {
        bool switches;
        bool loose, before;      /* some reads need not keep their values; nor those before the read in its thread */
        VEC(struct prefix) open; /* to be run, the last first */
        VEC(struct prefix) made; /* from the execution that is learnt */
        VEC(struct prefix_step) steps;  /* of all of them */
        VEC(struct prefix_range) skips; /* of all of them */
        VEC(struct prefix_step) order;  /* of a breadth-first search; with ... */
        VEC(uint32_t) came_from;        /* ... the number of the state before, + 1 */
        VEC(uint32_t) chain;            /* nodes of a thread in the execution, from the last */
        VEC(uint64_t) values;           /* that a read can be given */
        VEC(bool) shown;                /* nodes that the execution has shown */
        VEC(uint32_t) usual;            /* of each of them: the next one */
        struct prefix now;              /* of the execution under way */
        uint64_t reads, states;         /* that had to keep their values, for each read; that were entered */
};

void published_init(struct published *p, bool switches, bool loose, bool before);
void published_fini(struct published *p);
/* The prefix to run next is the path of the machine; false: there is none. */
bool published_next(struct published *p, struct machine *m);
/* The execution that was run for it is learnt. */
void published_learn(struct published *p, struct machine *m, const struct learner *l);

#endif
