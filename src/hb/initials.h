/*
 * Initials.  A race of transition i with an operation is reversed by a sequence that i does not happen before and that ends in
 * the operation.  Its initials are the actors whose first event in it may come first.
 */
#ifndef HEDDLE_HB_INITIALS_H
#define HEDDLE_HB_INITIALS_H

#include "hb/clocks.h"

/* The first transition of actor r after i, or CAUSALITY_NONE. */
uint32_t causality_after(const struct causality *c, uint32_t r, uint32_t i);

/* Sets the bits of the initials of the operation's own past: one of these must go first from the state before i if the
 * operation is to come without i. */
void causality_initials(const struct causality *c, uint32_t i, uint32_t actor, const uint32_t *past, uint64_t *bits);
/* The transition with which r is an initial when all other events after i, as far as i does not happen before them, come
 * along, or CAUSALITY_NONE. */
uint32_t causality_weak(const struct causality *c, uint32_t i, uint32_t r);
/* Does none of these precede the operation? */
bool causality_alone(const struct causality *c, uint32_t i, const uint32_t *past);

#endif
