/*
 * Hardware transactions between explorer and target.
 *
 * A transaction runs whole, as one transition, or aborts at its beginning.  Nothing is ever rolled back: a run that comes to an
 * abort inside a transaction ends there (WIRE_END_TXN) and tells what the transaction had read.  The explorer runs the same
 * schedule again with what it learnt, a `struct wire_txn`: the transition then is the abort, and reads the same.
 */
#ifndef HEDDLE_WIRE_TXN_H
#define HEDDLE_WIRE_TXN_H

#include <stdint.h>

/* --txn: aborts of every kind that hardware has; those that have a reason in the program; nothing but aborts. */
enum wire_txn_mode { WIRE_TXN_HW, WIRE_TXN_STM, WIRE_TXN_OFF };

/* What _xbegin() returns: bits of Intel's manual, with the code of _xabort() in the highest 8. */
#define WIRE_TXN_STARTED    UINT32_MAX
#define WIRE_TXN_EXPLICIT   (1u << 0)
#define WIRE_TXN_RETRY      (1u << 1)
#define WIRE_TXN_CONFLICT   (1u << 2)
#define WIRE_TXN_CAPACITY   (1u << 3)
#define WIRE_TXN_DEBUG      (1u << 4)
#define WIRE_TXN_NESTED     (1u << 5)
#define WIRE_TXN_CODE_SHIFT 24

#define WIRE_TXN_NESTING 7u /* levels of transactions inside each other */

#define WIRE_MAX_CODES     16u        /* of --abort-codes */
#define WIRE_MAX_TXNS      4096u      /* of one schedule: outcomes that are known */
#define WIRE_MAX_TXN_READS (1u << 16) /* of one transaction, ... */
#define WIRE_MAX_TXN_ALL   (1u << 18) /* ... and of all that are known */

/* What a transaction does that begins at this transition of the schedule. */
struct wire_txn {
        uint32_t transition;
        uint32_t status;       /* it aborts with this; WIRE_TXN_STARTED: it commits */
        uint32_t first, count; /* what it reads */
        uint32_t hopeless;     /* the conflict that was chosen never has a cause: the run ends here */
};

struct wire_txn_read {
        uint64_t obj, value, site;
        uint32_t size;
        uint16_t op;   /* READ, or PEEK for the state of an object; TXN_LINE: a line that a conflict may be about */
        uint16_t mode; /* TXN_LINE: enum wire_mode */
};

/* Outcomes, in the order of their transitions. */
struct wire_txns {
        uint32_t n;
        struct wire_txn at[WIRE_MAX_TXNS];
        struct wire_txn_read reads[WIRE_MAX_TXN_ALL];
};

struct wire_txn_answer {
        uint32_t blocked; /* WIRE_END_ASSUME: a transaction did not have the outcome that was chosen for it */
        uint32_t full;    /* WIRE_END_DEPTH: there is no room for what transactions that abort read */
        uint32_t offered; /* in this run, a transaction could abort by a conflict */
        uint32_t
                conflict; /* WIRE_END_TXN: `reads` is all that the transaction touches; `last.status` is possible if another
                                  thread's access conflicts with it, and does not happen before what the thread did last */
        struct wire_txn last; /* WIRE_END_TXN: what was found out, from the first of `reads` on */
        struct wire_txn_read reads[WIRE_MAX_TXN_READS];
};

/* --abort-codes: what _xbegin() may return without a reason in the program. */
struct wire_txn_codes {
        uint32_t given; /* else those that suit the use of the status */
        uint32_t n, at[WIRE_MAX_CODES];
};

/* Constant for the life of a target. */
struct wire_txn_rules {
        uint32_t mode;             /* enum wire_txn_mode */
        uint32_t lines, line_size; /* a transaction that touches more lines aborts */
        uint32_t retries;          /* aborts of a thread in a row, 0: any number */
        struct wire_txn_codes codes;
};

#endif
