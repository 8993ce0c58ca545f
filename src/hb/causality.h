/*
 * Happens-before along one execution, with the last part taken back at will.
 *
 * Transitions are numbered from 0 in the order of the trace.  Each has a vector clock: for every actor, 1 + the number
 * of its last transition that happens before (0: none).  Two transitions are ordered when they touch the same bytes in
 * conflicting modes, or belong to one actor, or one created, joined or woke the other's actor.
 */
#ifndef HEDDLE_HB_CAUSALITY_H
#define HEDDLE_HB_CAUSALITY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "wire/wire.h"

#define CAUSALITY_NONE UINT32_MAX

struct causality_rec {  /* one access, to one granule of 8 bytes */
        uint64_t value; /* state before, of sync objects */
        uint32_t trans;
        uint32_t prev;   /* the access to the granule before this one */
        uint32_t unread; /* the one before it that is no read: all that a read conflicts with */
        uint32_t slot;
        uint8_t mode, mask, op;
        bool cut; /* of refined operations: all older accesses to the granule happen before it */
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
        struct causality_slot *slots;
        uint32_t n_slots, slot_bits;
        struct causality_actor *actors;
        uint32_t direct;                   /* scratch: ... before which it was enabled as things were, or NONE */
        uint32_t enabler;                  /* scratch: ... without which it could not have run: no race; or NONE */
        const struct wire_access *pending; /* in a race with an operation that did not run: that one, else NULL */
        struct wire_access first;          /* scratch: the first access of the transition under way */
        uint32_t settled;                  /* transitions whose clocks are complete */
        uint32_t stride;                   /* actors there is room for */
        uint32_t *base;                    /* scratch: the clock of the actor before the transition under way */
        bool refined;    /* scratch: a refined operation is among those under way; then the two below are in use */
        uint32_t *past;  /* scratch: ... and with what it is found to depend on so far */
        uint32_t *raced; /* scratch: all that happens before a transition it is in a race with */
};

/* A race: transition i and an operation of the actor conflict, nothing lies between them, and the operation could have
 * run before i.  `past` is the clock of all that happens before the operation.  false: out of memory. */
typedef bool (*causality_race)(void *arg, uint32_t i, uint32_t actor, const uint32_t *past);

bool causality_init(struct causality *c);
void causality_fini(struct causality *c);
void causality_reset(struct causality *c);

/* Entries that come before the first transition. */
bool causality_prologue(struct causality *c, const struct wire_event *e, uint32_t n);

/* One transition, e[0] being its first entry.  Calls `race` for each race that it is the later half of. */
bool causality_push(struct causality *c, const struct wire_event *e, uint32_t n, causality_race race, void *arg);

/* Takes back all transitions from `n` on. */
void causality_pop(struct causality *c, uint32_t n);

/* A thread that is blocked at the end, or was woken, in this operation: the race with what blocked it. */
bool causality_blocked(struct causality *c, const struct wire_access *a, causality_race race, void *arg);

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

/* The last access to this granule, or CAUSALITY_NONE. */
uint32_t causality_head(const struct causality *c, uint64_t granule);

/* Calls `found` for every transition i that touches what the access does in a conflicting mode, unless it happens before
 * what the access's actor did last, or came before an earlier access of the actor for which it was called then. */
bool causality_conflicts(struct causality *c, const struct wire_access *a,
                         bool (*found)(void *arg, uint32_t i, uint32_t actor), void *arg);

/* A race of transition i with an operation is reversed by a sequence that i does not happen before and that ends in the
 * operation.  Its initials are the actors whose first event in it may come first.
 *
 * causality_initials() sets the bits of the initials of the operation's own past: one of these must go first from the
 * state before i if the operation is to come without i.  causality_weak() gives the transition with which r is an initial
 * when all other events after i, as far as i does not happen before them, come along, or CAUSALITY_NONE.
 * causality_alone() tells whether none of these precedes the operation. */
/* The first transition of actor r after i, or CAUSALITY_NONE. */
uint32_t causality_after(const struct causality *c, uint32_t r, uint32_t i);

void causality_initials(const struct causality *c, uint32_t i, uint32_t actor, const uint32_t *past, uint64_t *bits);
uint32_t causality_weak(const struct causality *c, uint32_t i, uint32_t r);
bool causality_alone(const struct causality *c, uint32_t i, const uint32_t *past);

#endif
