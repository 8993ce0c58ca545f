/*
 * Which threads have read and written each cache line, in all executions so far, while several threads were there.
 *
 * Accesses to one line conflict also where they have no byte in common, and then do not race.  If they are not preemption points, not every
 * place is tried where they may come before an abort (`shared`).
 *
 * Asked where an abort by a conflict turns out to have no cause: if no other thread ever uses the lines of the transaction, none of
 * the executions that begin like this one has such a cause (docs/proofs/transactions.md).
 */
#ifndef HEDDLE_ENGINE_LINES_H
#define HEDDLE_ENGINE_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/ptrmap.h"
#include "base/vec.h"
#include "trace/trace.h"
#include "wire/txn.h"

/* Threads: a number + 1, LINES_MANY, or 0: none. */
struct line_users {
        uint32_t reader, writer;
        uint64_t points;                     /* the following with so many preemption points, as in struct lines: */
        uint32_t inner_reader, inner_writer; /* plain accesses that are not among these */
        uint32_t tried_reader, tried_writer; /* transactions whose abort by a conflict was tried */
};

struct lines {
        struct ptrmap at; /* number of a line -> index + 1 in `users` */
        VEC(struct line_users) users;
        bool on;         /* an execution has a transaction that may abort so */
        uint64_t points; /* the most preemption points so far, */
        uint64_t last;   /* ... and those of the last execution */
        bool shared;     /* with these: lines of such transactions have plain accesses of others that are not points */
};

void lines_fini(struct lines *l);

/* An execution, in which a transaction could abort by a conflict (offered) or none could; points: a measure of the preemption points.  Entries before `known` are those of an
 * execution before it.  false: out of memory. */
MUST_CHECK bool lines_learn(struct lines *l, const struct trace *t, bool offered, uint64_t points, uint32_t known,
                            uint32_t line_size);

/* Has another thread than `owner` an access that conflicts with these lines? */
bool lines_conflict(const struct lines *l, const struct wire_txn_read *reads, uint32_t n, uint32_t owner,
                    uint32_t line_size);

#endif
