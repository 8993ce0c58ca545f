/*
 * Which delayed stores may reach memory right before a step of a thread (--memory tso, pso).
 *
 * A flush commutes with every step that neither touches its bytes nor waits for it.  So it is moved towards the end of the
 * execution, until right before a step that it cannot pass: a chain of flushes that belong to that step, its target.  Flushes
 * that no step follows come last.
 */
#ifndef HEDDLE_STRATEGY_MCR_CHAINS_H
#define HEDDLE_STRATEGY_MCR_CHAINS_H

#include "strategy/mcr/machine.h"

/* May the step of the thread be taken now, or after flushes? */
bool chains_may_end(struct machine *m, uint32_t thread);
/* The next buffer, from this one on, that may flush a store in a chain of this thread: its number in `buffers` of the tries, or
 * their count. */
uint32_t chains_next(const struct machine *m, uint32_t thread, uint32_t from);
/* The same for a buffer whose next store every continuation of the chain flushes, in any order: it may come first.  CHAINS_END: no
 * thread takes a step any more, so all stores are flushed. */
#define CHAINS_END UINT32_MAX
uint32_t chains_first(const struct machine *m, uint32_t thread);

/* What the step of the thread in this state leads to, as far as flushes decide. */
struct chain_result {
        uint64_t value;
        bool known; /* the step is enabled, and commutes with flushes before it if the value is the same */
};
struct chain_result chains_result(struct machine *m, uint32_t thread);

#endif
