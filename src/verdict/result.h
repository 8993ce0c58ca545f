/*
 * What an exploration has to tell: failures, races, leaks, outcomes and figures.  Reports read this and nothing else.
 *
 * The caller of the exploration owns it.  The verdict room fills it, and the engine its figures; `facts` is the program
 * room's.
 */
#ifndef HEDDLE_VERDICT_RESULT_H
#define HEDDLE_VERDICT_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#include "program/facts.h"
#include "trace/finding.h"
#include "trace/leak.h"
#include "trace/point_set.h"
#include "trace/race.h"
#include "verdict/stats.h"

/* One distinct outcome of --observe. */
struct outcome {
        uint64_t *values; /* one per cell */
        uint64_t executions;
        char *schedule;
};

/* One distinct output: what executions printed, and their exit status. */
#define PRINTED_MAX  64u /* further ones are counted only */
#define PRINTED_TEXT 4096u
struct printed {
        uint64_t hash;
        uint64_t bytes; /* of all that was printed */
        uint64_t executions;
        int32_t status;
        char *text; /* owned, terminated; cut at PRINTED_TEXT */
        char *schedule;
};

#define RESULT_MAX_BUSY 4
#define RESULT_MAX_TXNS 64

/* An execution of a shard that another shard may have run, too. */
struct result_class {
        uint64_t hash;  /* of its Mazurkiewicz trace (hb/classes.h) */
        uint32_t shown; /* what it showed: in struct result_shard */
        uint32_t pad;
};

/* A combination of what an execution can show: indices in the result, from 1; 0: none. */
struct result_shown {
        uint32_t outcome, finding;
        uint32_t assumed; /* it was cut by an assumption, and is none of the executions */
};

/* What a shard (--shard) knows beside its result, for `heddle merge`; parallel/shard.c fills it. */
struct result_shard {
        uint32_t index, of;           /* of 0: it is not a shard */
        bool in_plan;                 /* it ended before the parts were dealt out: all shards have this result */
        bool replaced;                /* optimal took the place of a strategy that was to be divided */
        uint64_t identity[4];         /* struct identity (engine/identity.h) */
        uint64_t plan;                /* hash of the plan: the same in all shards */
        uint64_t planned;             /* executions that the plan took, in every shard */
        uint32_t tasks, own;          /* parts of the tree: in the plan; of this shard */
        uint64_t extra;               /* executions in parts that the plan does not have */
        bool full;                    /* there are more of these than classes */
        struct result_class *classes; /* of these; owned */
        uint32_t n_classes;
        struct result_shown *shown; /* owned */
        uint32_t n_shown;
        unsigned char *knowledge; /* of the program (engine/knowledge.h); owned */
        size_t n_knowledge;
        uint64_t duplicates; /* merged: executions that several shards have run, and that count once */
        char *data;          /* all that `heddle merge` needs, as text for JSON; owned, NULL: none */
};

struct result_sites { /* each once */
        uint64_t at[RESULT_MAX_TXNS];
        uint32_t n;
};

struct result {
        struct stats stats;
        struct facts facts; /* of the program */
        const char *instead,
                *instead_why; /* the strategy that took the place of the one asked for, because of what; or NULL */
        struct finding *findings;
        uint32_t n_findings;
        struct outcome *outcomes;
        uint32_t n_outcomes;
        uint32_t *outcome_slots; /* hash table of them, index + 1; of 1 << outcome_bits (verdict/outcome.h) */
        uint32_t outcome_bits;
        struct printed *printed; /* distinct outputs, in the order in which they came up */
        uint32_t n_printed;
        bool printed_all;      /* every output is there: --outputs on */
        uint32_t last_outcome; /* of the execution that was judged last, from 1; 0: it has none */
        struct race *races;
        uint32_t n_races;
        uint32_t *race_slots; /* hash table of them, index + 1; of 1 << race_bits (verdict/race_index.h) */
        uint32_t race_bits;
        struct leak *leaks; /* verdict/leak_table.h */
        uint32_t n_leaks;
        uint64_t leaks_known;           /* executions that were checked for them */
        struct trace *replayed;         /* by a replay: its execution, recorded with WIRE_DETAIL; owned */
        bool other_build;               /* by a replay: the schedule is from another build of the program */
        char *captured;                 /* config.capture: the schedule text of that execution */
        uint64_t busy[RESULT_MAX_BUSY]; /* places where threads wait for others in loops (verdict/busy_waits.h) */
        uint32_t n_busy;
        struct result_sites begun, committed; /* transactions (verdict/busy_waits.h) */
        struct point_set_result *sets;        /* in the order in which they came up; owned, and the sites of each */
        uint32_t n_sets;
        struct result_shard shard;
        struct symbols
                *names; /* of a result that was read from files: what is known of its addresses; owned, or NULL */
        uint64_t
                followed_most; /* reproduce: bits of recorded paths of the execution that followed most, or failed ... */
        bool followed_failed;
        uint64_t followed[WIRE_MAX_PATHS]; /* ... and of each of its threads */
        char not_saved[512];               /* why the last checkpoint could not be written, or empty */
};

/* Forget all outcomes, races, leaks. */
void result_drop_outcomes(struct result *r);
void result_drop_printed(struct result *r);
void result_drop_races(struct result *r);
void result_drop_leaks(struct result *r);

void result_shard_fini(struct result_shard *s);

/* Keeps a copy of a set of preemption points; without it when out of memory. */
void result_add_set(struct result *r, const struct point_set_result *set);

void result_fini(struct result *r);

#endif
