/*
 * The happens-before relation of one execution: vector clocks, access histories, edges and store buffers.  The data that
 * causality.c and its parts (history.c, commuting.c, cancellation.c, store_buffers.c, initials.c) work on.
 *
 * Transitions are numbered from 0 in the order of the trace.  Each has a vector clock: for every actor, 1 + the number of its
 * last transition that happens before (0: none).
 */
#ifndef HEDDLE_HB_CLOCKS_H
#define HEDDLE_HB_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "wire/wire.h"

#define CAUSALITY_NONE UINT32_MAX

struct causality_rec {  /* one access, to one granule of 8 bytes */
        uint64_t value; /* state before, of sync objects */
        uint32_t trans;
        uint32_t prev;   /* the access to the granule before this one */
        uint32_t unread; /* the one before it that is not a read: all that a read conflicts with */
        uint32_t slot;
        uint8_t mode, mask, op;
        bool cut; /* of operations that may commute: all older accesses to the granule happen before it */
};

struct causality_edge { /* `from` happens before the next transition of `actor` */
        uint32_t from, prev;
        uint16_t actor;
};

struct causality_store {      /* weak memory: a store that went to a buffer */
        uint32_t last, edges; /* of its thread at that moment */
        uint32_t loads;       /* that had their value from it: the latest in `forwards` */
        uint32_t number;      /* in its buffer, from 1 */
        uint16_t buffer, thread;
};

struct causality_forward { /* a load that had bytes of a buffered store */
        uint64_t obj;
        uint32_t size, trans, store, prev;
};

struct causality_trans {
        uint16_t actor;
        uint32_t prev;                /* of the same actor */
        uint32_t rec_mark;            /* sizes of the arrays before it */
        uint32_t edge_mark, edge_mid; /* ... and between the edges of a join and its own */
        uint32_t saved_edges;         /* the edges that it consumed */
        uint32_t store_mark, forward_mark;
};

struct causality_slot {
        uint64_t granule; /* + 1, 0: free */
        uint32_t head;    /* last access */
};

struct causality_list {
        uint32_t *at;
        uint32_t n, room;
};

struct causality_actor {
        uint32_t last;                /* its last transition */
        uint32_t edges;               /* since then */
        struct causality_list all;    /* its transitions */
        struct causality_list stores; /* of a buffer: that went to it; of a thread: that it made there */
        uint32_t owner;               /* of a buffer: its thread + 1, 0: it is none */
        uint32_t buffers;             /* of a thread: a buffer + 1; of a buffer: the next one; 0: none */
};

struct causality {
        bool unfair; /* transitions that had to wait for others (WIRE_WEAK_FAIR) are ordered as if they had not */
        VEC(struct causality_trans) trans;
        VEC(uint32_t) clocks; /* stride for each transition */
        VEC(struct causality_rec) recs;
        VEC(struct causality_edge) edges;
        VEC(struct causality_store) stores;
        VEC(struct causality_forward) forwards;
        struct causality_list found;    /* scratch: conflicting transitions */
        struct causality_list ordered;  /* scratch: those that only had to come first */
        struct causality_list rivals;   /* scratch: those that a blocking operation could have come before */
        struct causality_list again;    /* scratch: accesses to be done again */
        struct causality_list blockers; /* scratch: races of a blocking operation */
        struct causality_list dropped;  /* scratch: what a blocking operation cannot come after */
        struct causality_slot *slots;
        uint32_t n_slots, slot_bits;
        struct causality_actor *actors;
        uint32_t direct;                   /* scratch: ... before which it was enabled as things were, or NONE */
        uint32_t enabler;                  /* scratch: ... without which it could not have run: no race; or NONE */
        bool waits;                        /* the read under way waits for a value: ... */
        uint32_t earlier;                  /* ... it could have come before this write, or NONE, and no other */
        const struct wire_access *pending; /* in a race with an operation that did not run: that one, else NULL */
        struct wire_access first;          /* scratch: the first access of the transition under way */
        uint32_t settled;                  /* transitions whose clocks are complete */
        uint32_t stride;                   /* actors there is room for */
        uint32_t *base;                    /* scratch: the clock of the actor before the transition under way */
        bool commuting; /* scratch: an operation that may commute is among those under way; then the two below are in use */
        uint32_t *past;  /* scratch: ... and with what it is found to depend on so far */
        uint32_t *raced; /* scratch: all that happens before a transition it is in a race with */
};

static inline const uint32_t *causality_clock(const struct causality *c, uint32_t i)
{
        return &c->clocks.at[(uint64_t)i * c->stride];
}

static inline bool causality_remember(uint32_t trans, struct causality_list *v)
{
        if (!vec_reserve(v, 1))
                return false;
        *vec_push(v) = trans;
        return true;
}

static inline bool causality_before(const struct causality *c, uint32_t i, const uint32_t *clock)
{
        return clock[c->trans.at[i].actor] > i;
}

/* Joins `from` into `to`: what happens before either, for n actors, a multiple of 4.  No entry has its highest bit set. */
static inline void clock_join(uint32_t *to, const uint32_t *from, uint32_t n)
{
        typedef int32_t four __attribute__((vector_size(16), aligned(4), may_alias));

        for (uint32_t i = 0; i < n; i += 4) {
                four a = *(const four *)&to[i], b = *(const four *)&from[i], more = b > a;
                *(four *)&to[i] = (b & more) | (a & ~more);
        }
}

#endif
