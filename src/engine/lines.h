/*
 * Which threads have read and written each cache line, in all executions so far, while several threads were there.
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

struct line_users {
        uint32_t reader, writer; /* a thread's number + 1, LINES_MANY, or 0: none */
};

struct lines {
        struct ptrmap at; /* number of a line -> index + 1 in `users` */
        VEC(struct line_users) users;
        bool on; /* an execution has a transaction that may abort so */
};

void lines_fini(struct lines *l);

/* An execution, in which a transaction could abort by a conflict (offered) or none could.  Entries before `known` are those of an
 * execution before it.  false: out of memory. */
MUST_CHECK bool lines_learn(struct lines *l, const struct trace *t, bool offered, uint32_t known, uint32_t line_size);

/* Has another thread than `owner` an access that conflicts with these lines? */
bool lines_conflict(const struct lines *l, const struct wire_txn_read *reads, uint32_t n, uint32_t owner,
                    uint32_t line_size);

#endif
