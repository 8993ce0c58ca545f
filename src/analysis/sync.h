/*
 * What synchronises with what: vector clocks of the threads along a trace, with the last part taken back at will.
 *
 * Unlike the clocks of hb/causality.h, which order all that conflicts, these follow synchronisation alone: locks,
 * create and join, wakeups, semaphores, barriers, once, pipes, and atomics by their memory order (release, acquire,
 * fences and release sequences as in C++20).  A clock counts the releases of each thread: its *epochs*.
 */
#ifndef HEDDLE_ANALYSIS_SYNC_H
#define HEDDLE_ANALYSIS_SYNC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "wire/wire.h"

struct sync_lock { /* a node of a list of locks held */
        uint64_t obj;
        uint32_t kind;   /* enum op_object */
        uint32_t depth;  /* how often it was taken */
        uint32_t shared; /* for reading */
        uint32_t next;   /* index + 1 */
};

struct sync_undo {
        uint32_t cell, old;
};

struct sync_slot {
        uint64_t key;  /* + 1, 0: free */
        uint32_t base; /* its first cell */
};

struct sync_map {
        struct sync_slot *slots;
        uint32_t n, bits;
};

/* All that changes along a trace is a cell, a number; what cells point to is only added.  So a mark is a few counts. */
struct sync {
        VEC(uint32_t) cells;
        VEC(struct sync_undo) undo;
        VEC(uint32_t) clocks; /* `width` numbers each; clock 0 is all zero */
        VEC(struct sync_lock) locks;
        struct sync_map objects, granules;
        uint32_t width; /* threads */
        bool limited;   /* locks order nothing */
        bool failed;    /* out of memory */
        bool commits;   /* a transaction has committed */
};

struct sync_mark {
        uint32_t undo, clocks, locks;
};

#define SYNC_GRANULE_CELLS 9 /* one for the caller's use, and the clock that each byte was released with */

bool sync_init(struct sync *s, uint32_t width, bool limited);
void sync_fini(struct sync *s);

struct sync_mark sync_mark(const struct sync *s);
void sync_back(struct sync *s, struct sync_mark m);

/* An entry that is not an access to memory. */
void sync_step(struct sync *s, const struct wire_event *e);
/* What an access to bytes (`mask`) of a granule, whose cells begin at `base`, synchronises. */
void sync_memory(struct sync *s, const struct wire_event *e, uint32_t base, uint32_t mask);

/* The cells of a granule of 8 bytes; `make`: also if there are none yet, else UINT32_MAX. */
uint32_t sync_granule(struct sync *s, uint64_t granule, bool make);
void sync_set(struct sync *s, uint32_t cell, uint32_t value);

uint32_t sync_epoch(const struct sync *s, uint32_t actor);
/* The locks that the actor holds: a list in s->locks, index + 1. */
uint32_t sync_held(const struct sync *s, uint32_t actor);
/* The epoch of each thread that happens before what the actor does next: a number for it, and the clock of a number. */
uint32_t sync_now(const struct sync *s, uint32_t actor);
const uint32_t *sync_clock(const struct sync *s, uint32_t clock);

/* Weak memory.  A store goes to a buffer: the clock, or 0, that a thread gets which acquires it.  When it reaches memory,
 * the bytes of a granule, or an object, are released with that clock. */
uint32_t sync_store(struct sync *s, const struct wire_event *e);
void sync_flush(struct sync *s, uint32_t base, uint32_t mask, uint32_t clock);
void sync_flush_object(struct sync *s, const struct wire_event *e, uint32_t clock);

#endif
