/*
 * Accesses of more than one word (8 aligned bytes) that are one step: atomics of 16 bytes, and whatever is inside atomic sections.  A
 * word is an operation of its own, and all of them belong to one transition.
 */
#ifndef HEDDLE_STRATEGY_MCR_WIDE_H
#define HEDDLE_STRATEGY_MCR_WIDE_H

#include "trace/trace.h"
#include "wire/wire.h"

struct wide_word {
        struct wire_event entry; /* as if the access went to this word */
        uint64_t before;         /* as in the trace */
        uint32_t at;             /* where the trace has it */
};

bool wide_is(const struct wire_event *e);
/* Does the operation write what depends on what it reads? */
bool wide_updates(uint32_t op);
/* The words of an entry; 0: the trace does not have them. */
uint32_t wide_words(const struct trace *trace, uint32_t i, struct wide_word out[WIRE_MAX_WORDS]);
/* Of an update: what its read of the word is, before anything is written.  It orders nothing. */
struct wire_event wide_reads(const struct wide_word *word);

#endif
