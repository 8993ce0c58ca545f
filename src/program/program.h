/*
 * The program under check: its process, and what is known of it before it runs.
 *
 * Owned by the session; the functions of this room write it (start.c, preemption_points.c, assembly.c, coverage.c,
 * invariants.c), and the run sets what the target turns out to need (run.c: pool, isolation).
 */
#ifndef HEDDLE_PROGRAM_PROGRAM_H
#define HEDDLE_PROGRAM_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/vec.h"
#include "binary/symbols.h"
#include "config/config.h"
#include "program/facts.h"
#include "target/target.h"
#include "trace/reasons.h"
#include "trace/trace.h"

struct irrelevant;

/* An instruction, by its end, that was seen to access a word which locked instructions update. */
struct touched {
        char *path; /* of the module; owned */
        uint64_t offset;
};

struct program {
        const struct config *config;   /* the command line; the caller's */
        struct target target;          /* its process, and the shared regions, which outlive it */
        struct symbols *symbols;       /* names of its addresses; owned, NULL before it was started */
        struct irrelevant *irrelevant; /* --static: accesses that nothing depends on, or NULL (irrelevant.h); owned */
        struct facts *facts;           /* what reports say about it; it lies in the result */
        struct reasons unwatched;      /* code that may be executed without our knowing: reasons of every execution */
        VEC(struct touched) touched;   /* what engine/plain_words.c found */
        uint32_t fingerprint;          /* of its build (build_fingerprint.h) */
        struct error *why;             /* after an error; the caller's */
};

/* What comes of running it; below 0: enum error_status, with `why`. */
enum run_status {
        RUN_OK,   /* the trace is there */
        RUN_GREW, /* ... but memory turned out to be shared: it does not count */
        RUN_DIED, /* the program killed its process, again and again: see target.why */
        RUN_INTR, /* the user wants to stop */
};

/* Makes the shared regions and writes the command line into them; starts nothing.  RUN_OK, RUN_INTR or below 0;
 * program_fini() is due in every case. */
MUST_CHECK int program_init(struct program *p, const struct config *config, struct facts *facts, struct error *why);
void program_fini(struct program *p);

/* The schedule text of an execution of this program (schedule_encode()); the caller frees it, NULL: out of memory. */
char *program_text(const struct program *p, const struct trace *t, uint32_t n_events, uint32_t last, bool fails);

/* Has the program analysed, if that is asked for and was not done.  With --static auto, everything in a program
 * that cannot be analysed is relevant. */
int program_find_irrelevant(struct program *p);
/* Does nothing depend on what an access reads or writes (irrelevant.h)?  For strategies, hence without a type. */
bool program_irrelevant(void *program, const struct wire_event *e, char what);

/* Takes over what the target reported: names that the program gave to objects, and what it uses of the outside. */
void program_take_labels(struct program *p);

/* A run can end in a state that another one ends in: states are compared, and a search over states is used. */
static inline bool program_has_cycles(const struct program *p)
{
        return p->target.down->cycles == WIRE_CYCLES_ALL;
}

/* Is a transition all that a thread does between two points, with branches in it? */
static inline bool program_has_blocks(const struct program *p)
{
        return p->target.blocks && p->config->instrumented;
}

#endif
