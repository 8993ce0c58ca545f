/* What cut.c notes of each thread. */
#ifndef HEDDLE_RT_LOOPS_CUT_STATE_H
#define HEDDLE_RT_LOOPS_CUT_STATE_H

#include "rt/rt.h"

#define CUT_MAX_VISITS  32u
#define CUT_MAX_READS   256u
#define CUT_MAX_CHANGES 64u

struct visit {
        uint64_t hash;
        uint64_t masked; /* ... of the part of the state that matters there (masks.h) */
        uint32_t place;
        uint32_t n_reads, n_changes; /* up to there */
        uint32_t serial;             /* ... and stores, under weak memory */
        uint64_t obj;                /* what it is about to access, ... */
        uint32_t size;
        uint8_t op;
        bool retries; /* ... and retry.c notes where that leads */
};

struct look {
        uint64_t obj, value;
        uint32_t size;
        uint32_t event;
        uint32_t n_changes; /* of the thread up to it */
        uint32_t serial;    /* of its own delayed store that it has seen, 0: none */
        bool memory;        /* the value says whether it has changed; else entries do */
};

/* A write: of memory, a word of it, or of the state of a lock. */
struct change {
        uint64_t addr, before, after;
        const struct object *lock; /* NULL: memory */
        uint32_t size;
        uint32_t event;
        uint32_t serial; /* of a delayed store, which has reached memory; 0: it was not delayed */
        bool shared;
};

struct cut {
        bool stopped;
        bool again;        /* ... by retry.c: no round has ended */
        bool touched;      /* when it stopped: has another thread written since to what the last round read? */
        uint32_t n_visits; /* a ring */
        uint32_t n_reads, n_changes;
        uint32_t n_settled;   /* of so many it is known what they left behind */
        uint32_t last;        /* when it stopped: the first read of the last round, ... */
        uint32_t last_change; /* ... its first change, ... */
        uint32_t last_serial; /* ... the stores before it, ... */
        uint32_t since;       /* ... the entry before which it was in this state for the first time, ... */
        uint64_t seen;        /* ... and a hash of the memory that the round read, as it was when the thread stopped */
        struct visit visits[CUT_MAX_VISITS];
        struct look reads[CUT_MAX_READS];
        struct change changes[CUT_MAX_CHANGES];
};

#pragma GCC visibility push(hidden)

extern struct cut cuts[WIRE_MAX_THREADS];
extern uint32_t cut_n_stopped; /* threads whose `stopped` is set */

#pragma GCC visibility pop

#endif
