/*
 * What one run of `heddle check` said about a program, reduced to what must be equal for two strategies.
 */
#ifndef ORACLE_VERDICT_H
#define ORACLE_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

struct set {
        char **items; /* sorted */
        int n;
};

struct verdict {
        bool ok;          /* there was a report */
        char why[512];    /* if not: what went wrong */
        char verdict[16]; /* safe, failure, unknown */
        bool complete;
        char why_incomplete[128];
        uint64_t executions, blocked, assume, classes, rounds; /* rounds: executions with a round that was cut */
        uint64_t values; /* combinations of values read, 0: not counted */
        struct set outcomes; /* the text of each state */
        struct set failures; /* kind, place and message */
        struct set races;    /* verdict, kinds and places */
        struct set pairs;    /* the same without verdict */
        struct set kinds;    /* kinds of failures */
        struct set counts;   /* outcomes and failures, each with how often it was seen */
        struct set stuck;    /* deadlocks without a cycle: the threads that wait, "T0 T2 " */
        bool deadlock, failure;
};

enum how {
        ALONE,
        SHARED, /* by two explorers that give work away at every turn */
        STORED, /* stopped half way, stored, and taken up again */
        STORED_SHARED,
        DRAWN, /* executions drawn by chance: some of all */
};

/* How to check. */
struct mode {
        const char *strategy, *preempt, *isolate;
        const char *bound;   /* NULL: none */
        const char *more[4]; /* further options, up to the first NULL */
        enum how how;
};

/* More executions are not run: by this, not by the time, a program is too large on every machine. */
#define MOST_EXECUTIONS "20000"

/* Runs heddle on program `index` of the binary `program` for at most `seconds`.  What is stored is stopped after `half`
 * executions. */
void verdict_get(struct verdict *v, const char *heddle, const char *program, int index, const struct mode *mode,
                 int seconds, uint64_t half);
void verdict_fini(struct verdict *v);

/* Do the two agree?  If not, describes the difference in `text` (one or more lines).  `classes`: also in the number of
 * Mazurkiewicz traces. */
bool verdict_equal(const struct verdict *a, const struct verdict *b, const struct mode *ma, const struct mode *mb,
                   bool classes, char *text, int size);

/* What the model says about a program, read from the lines of `generate -x`; ok is false where it knows nothing.
 * `blocks` may be NULL. */
void verdict_of_model(struct verdict *v, const char *path, int index, bool *blocks);

/* Does the report of a complete search say exactly what the model says?  If not, as above. */
bool verdict_matches(const struct verdict *model, const struct verdict *v, char *text, int size);

#endif
