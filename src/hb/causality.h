/*
 * Happens-before along one execution, with the last part taken back at will.
 *
 * Two transitions are ordered when they touch the same bytes in conflicting modes, or belong to one actor, or one created,
 * joined or woke the other's actor.
 */
#ifndef HEDDLE_HB_CAUSALITY_H
#define HEDDLE_HB_CAUSALITY_H

#include "hb/clocks.h"

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

/* The next transition is a read that waits for a value, and could have come before transition `earlier` (or NONE). */
void causality_waits(struct causality *c, uint32_t earlier);
/* A thread waits at the end for such a read: the race with that transition. */
bool causality_held(struct causality *c, const struct wire_access *a, uint32_t earlier, causality_race race, void *arg);

/* Takes back all transitions from `n` on. */
void causality_pop(struct causality *c, uint32_t n);

/* A thread that is blocked at the end, or was woken, in this operation: the race with what blocked it. */
bool causality_blocked(struct causality *c, const struct wire_access *a, causality_race race, void *arg);

/* Calls `found` for every transition i that touches what the access does in a conflicting mode, unless it happens before
 * what the access's actor did last, or came before an earlier access of the actor for which it was called then. */
bool causality_conflicts(struct causality *c, const struct wire_access *a,
                         bool (*found)(void *arg, uint32_t i, uint32_t actor), void *arg);

#endif
