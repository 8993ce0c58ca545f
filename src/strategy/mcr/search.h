/*
 * A depth-first search over the states of the machine.  It stops where it needs an execution: at what no execution has
 * shown, and at the end of a class that was not run.
 */
#ifndef HEDDLE_STRATEGY_MCR_SEARCH_H
#define HEDDLE_STRATEGY_MCR_SEARCH_H

#include "strategy/mcr/chains.h"
#include "strategy/mcr/machine.h"
#include "strategy/mcr/part.h"
#include "strategy/mcr/races.h"
#include "strategy/mcr/seen.h"

struct search_frame {
        uint32_t changes, path;  /* of the machine, in this state */
        uint32_t thread;         /* the next to take a step ... */
        uint32_t choice;         /* ... with this alternative */
        uint32_t buffer;         /* the next to flush a store, after all threads ... */
        uint32_t target;         /* ... in a chain of this thread (chains.h) */
        struct chain_result was; /* of the step of the target, without the last flush */
        bool lone;               /* the flush is the only one that is needed */
        bool lives;              /* some thread may take another step */
        bool chain;              /* the state is one within a chain of it: no other thread takes a step */
        bool only;               /* no other needs to */
        uint32_t ends, n_ends;   /* in `ends` of the search: where the step of each thread from here led to */
        bool raced;              /* races of this state are known */
        bool moved;              /* some thread has taken a step from here */
        uint32_t
                passed; /* what the threads before this one do next is known, or they have to wait, or --depth is reached */
};

struct search {
        struct machine machine;
        struct part part; /* of the classes: what is not in it is left to others */
        VEC(struct search_frame) frames;
        VEC(uint32_t) ends;           /* of all frames: a node for each thread, 0: it has taken no step */
        struct seen states;           /* that were entered */
        struct seen classes;          /* that were run, and their ends (machine_class_end) */
        struct races races;           /* SEARCH_RACE: `found` is to be run */
        struct hash128 ended;         /* SEARCH_END: machine_class_end() */
        bool wants_races, wants_ends; /* ends: with other values at the end, which `end` says */
        enum machine_end end;
        uint64_t steps, work;           /* work: steps, weighted with what they cost */
        uint64_t most_work, class_work; /* more work is not worth it, unless there is a class for each so much of it */
        bool begun;
        bool chains;      /* flushes come in chains */
        uint32_t cancels; /* so many threads may be asked to end */
        bool cut;         /* --depth: the last execution was cut before its end, so it may lack what it was run for */
        bool cut_shown;   /* ... some execution was that counts */
        int asked;        /* what it was run for, an enum search_answer */
        uint32_t about;   /* ... SEARCH_STATE: the next operation of this thread, or UINT32_MAX: that it is cut */
};

enum search_answer {
        SEARCH_OVER,  /* every state was entered */
        SEARCH_STEP,  /* run the path: its last step leads to what is not known */
        SEARCH_STATE, /* run the path: what a thread does next in this state is not known */
        SEARCH_CLASS, /* run the path: it is a class */
        SEARCH_END,   /* run the path: a class that was run, with other values at the end (enum machine_end) */
        SEARCH_RACE,  /* run the path: its last two steps are a data race */
        SEARCH_MANY,  /* too many states for so few classes: executions are cheaper */
        SEARCH_LATE,  /* out of time: ask again */
};

void search_init(struct search *s, uint64_t max_states);
void search_fini(struct search *s);
/* States get clocks (orders.h): they are entered again, and what is known is kept. */
void search_order(struct search *s);
/* --depth: the execution that the search has asked for was cut; counts: reports say so (probes do not count). */
void search_cut(struct search *s, bool counts);
/* Was an execution run for the next operation of a thread that another one may ask to end before it?  It need not show a new class. */
bool search_may_repeat(const struct search *s);
/* Continues, until it needs an execution.  `path` of the machine is what to run. */
enum search_answer search_next(struct search *s);

#endif
