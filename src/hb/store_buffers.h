/*
 * Store buffers in the happens-before of an execution (weak memory): what orders a flush, and what it orders.
 *
 * The equivalence is that of Shasha and Snir: program order, which load reads from which store, and the order of stores to one
 * place (Abdulla, Aronis, Atig, Jonsson, Leonardsson, Sagonas: Stateless model checking for TSO and PSO, TACAS 2015, where
 * traces without the order of a thread's own flushes and loads are called chronological).  So
 *
 *   - a flush comes after its store, hence after all that its thread did before that, and after earlier flushes of the
 *     same buffer; nothing that the thread did later orders it;
 *   - a thread's loads and the flushes of its own stores are never ordered by each other;
 *   - a load that has its value from the own buffer touches no memory.  When that store is flushed, it becomes a read:
 *     what others write there later could have come between flush and load;
 *   - an operation that waits for the buffer comes after its flushes, which is not a race: it could not have come before.
 */
#ifndef HEDDLE_HB_STORE_BUFFERS_H
#define HEDDLE_HB_STORE_BUFFERS_H

#include "hb/clocks.h"
#include "op/op.h"

/* A thread and its buffer: their accesses never conflict. */
static inline bool buffered_own(const struct causality *c, uint32_t a, uint32_t b)
{
        return c->actors[a].owner == b + 1 || c->actors[b].owner == a + 1;
}

/* Two buffers of one thread (pso): stores of common bytes stay in order. */
static inline bool buffered_siblings(const struct causality *c, uint32_t a, uint32_t b)
{
        return a != b && c->actors[a].owner && c->actors[a].owner == c->actors[b].owner;
}

/* A store went to a buffer; a load had bytes of one.  The transition under way is `trans`. */
bool buffered_store(struct causality *c, const struct wire_event *e);
bool buffered_forward(struct causality *c, const struct wire_event *e, uint32_t trans);

/* Adds to `base` what comes before the flush e. */
void buffered_flush(struct causality *c, const struct wire_event *e, uint32_t *base);
/* The loads that had their value from the store of this flush read memory from now on: calls `read` for each. */
bool buffered_reads(struct causality *c, uint32_t buffer,
                    bool (*read)(struct causality *c, uint64_t obj, uint32_t size, uint32_t trans));

/* Are there stores of the thread that have not been flushed? */
bool buffered_waits(const struct causality *c, uint32_t thread);
/* Adds to `base` what comes before an operation of the thread that waits for its buffer. */
void buffered_drained(struct causality *c, uint32_t thread, uint32_t *base);

/* Takes stores and loads back. */
void buffered_pop(struct causality *c, uint32_t stores, uint32_t forwards);

/* What a load that is about to be pushed touches, into `out`, which has room for BUFFERED_PARTS accesses: bytes that its
 * thread has stored to before count as loaded from that store, flushed or not.  So a load has the same footprint wherever it
 * comes among the flushes of its thread.  Their number; 0: the entry is not such a load. */
#define BUFFERED_PARTS 64u
uint32_t buffered_load(const struct causality *c, const struct wire_event *e, struct wire_access *out);

/* buffered_wakes() and buffered_touches() where stores wait in buffers. */
bool buffered_wakes_now(const struct causality *c, const struct wire_access *sleeper, const struct wire_access *done);
bool buffered_touches_now(const struct causality *c, const struct wire_access *sleeper, const struct wire_access *done);

/* Does `done`, of another actor, end the sleep of one that would do `sleeper`?  All flushes up to then are known. */
static inline bool buffered_wakes(void *causality, const struct wire_access *sleeper, const struct wire_access *done)
{
        const struct causality *c = causality;

        return c->stores.n ? buffered_wakes_now(c, sleeper, done) : op_wakes(sleeper, done);
}

/* ... or conflict with that in some state? */
static inline bool buffered_touches(void *causality, const struct wire_access *sleeper, const struct wire_access *done)
{
        const struct causality *c = causality;

        return c->stores.n ? buffered_touches_now(c, sleeper, done) : op_overlap(sleeper, done);
}

#endif
