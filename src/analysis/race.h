/*
 * The race detector: reads one trace after the other and tells which pairs of accesses race in each.
 *
 * Two accesses race when different threads make them to common bytes, one writes, not both are atomic, and neither
 * happens before the other by synchronisation (analysis/sync.h).  All such pairs of places are reported, not only the first
 * of a variable.  With `limited`, locks order nothing, but two accesses under a common lock do not race (O'Callahan and
 * Choi, PPoPP 2003, as used by Blum and Gibson, OOPSLA 2016): what might race in another schedule.
 *
 * Under weak memory an access belongs to its thread where that made it, with the clock of that moment, and comes where it
 * reaches memory: a store with its flush, a load of the own buffer with the flush of that store.  So which accesses race
 * and in which order they come is the same in all equivalent executions.
 *
 * What a trace has in common with the one before is not checked again.
 */
#ifndef HEDDLE_ANALYSIS_RACE_H
#define HEDDLE_ANALYSIS_RACE_H

#include "analysis/sync.h"
#include "trace/race.h"
#include "trace/trace.h"

struct race_pair { /* of places with conflicting accesses, racing or not: the order is that of struct race */
        uint64_t site[2];
        uint8_t kind[2];
        uint8_t orders; /* seen in all traces so far */
        bool turned;    /* `orders` has changed since the owner reset this */
        uint32_t cell;  /* of sync.cells: is it among those found in this trace? */
        uint32_t race;  /* for the owner's use */
};

struct race_found { /* a pair that races in the present trace, where it does so first */
        uint32_t pair;
        uint32_t early, late; /* entries */
        uint32_t upto;        /* the entry at which it is one: the later of them, or the one that flushed its store */
        uint32_t held[2];     /* locks at these: lists in sync.locks, index + 1 */
        bool forward;         /* the earlier one is the first half of the pair */
};

struct race_record { /* the last access of a thread from a place to some bytes of a granule */
        uint64_t site;
        uint32_t entry;
        uint32_t epoch;
        uint32_t held;
        uint32_t next; /* index + 1 */
        uint16_t actor;
        uint8_t kind, mask;
};

struct race_change {
        uint32_t index;
        struct race_record old;
};

struct race_delayed { /* weak memory: a store that waits in a buffer, or a load that had its value from one */
        struct race_record access;
        uint64_t obj;
        uint32_t size;
        uint32_t clock;    /* of its thread at that moment: in sync.clocks */
        uint32_t released; /* of a store: what goes with it */
        uint32_t number;   /* of a store: in its buffer, from 1 */
        uint32_t prev;   /* of a store: the one before it in its buffer; of a load: the one before it from the store */
        uint32_t next;   /* of a store: the one after it in its buffer, if that is there and of the buffer */
        uint32_t loads;  /* of a store: the latest load; of a load: the store.  All of these are indices + 1 */
        uint32_t buffer; /* of a store: its actor; of a load: UINT32_MAX */
};

struct race_step { /* sizes before an entry */
        struct sync_mark sync;
        uint32_t records, changes, found, delayed;
};

struct race_detector {
        struct sync sync;
        uint64_t run; /* the trace that it has seen last */
        bool begun;   /* `sync` is there */
        bool limited;
        bool turned;       /* some pair's is set */
        uint64_t observed; /* what --observe reads without an order with a write, in some trace; 0: nothing */
        VEC(struct wire_event) events; /* the trace checked last */
        VEC(struct race_step) steps;
        VEC(struct race_record) records;
        VEC(struct race_change) changes;
        VEC(struct race_found) found;
        VEC(struct race_pair) pairs;
        VEC(struct race_delayed) delayed;
        uint32_t n_actors;
        uint32_t buffers; /* the first of two cells for each actor: stores, index + 1 */
        uint32_t *slots;  /* hash table of pairs, index + 1 */
        uint32_t slot_bits;
};

void race_init(struct race_detector *d, bool limited);
void race_fini(struct race_detector *d);
void race_reset(struct race_detector *d);

/* Looks at a trace: afterwards `found` lists what races in it.  0, or -1 when out of memory. */
int race_look(struct race_detector *d, const struct trace *t);

#endif
