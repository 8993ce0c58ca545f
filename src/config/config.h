/*
 * The command line of `check`, once it is understood: one struct, constant afterwards.
 */
#ifndef HEDDLE_CONFIG_CONFIG_H
#define HEDDLE_CONFIG_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/wire.h"

enum config_order {
        ORDER_DEPTH_FIRST,
        ORDER_BREADTH_FIRST,
        ORDER_RANDOM,
        ORDER_FEWEST_PREEMPTIONS,
        ORDER_SWITCH_FIRST
};
enum config_isolate { ISOLATE_AUTO, ISOLATE_SNAPSHOT, ISOLATE_FORK };
enum config_heap_checks { HEAP_CHECKS_ON, HEAP_CHECKS_OFF };
enum config_outputs { OUTPUTS_AUTO, OUTPUTS_ON, OUTPUTS_OFF };
enum config_leaks { LEAKS_SOME, LEAKS_ALL, LEAKS_OFF };
enum config_loops { LOOPS_AWAIT, LOOPS_CUT, LOOPS_WAIT };
enum config_races { RACES_HB, RACES_LIMITED, RACES_OFF };
enum config_fail_on { FAIL_ON_FAILURES, FAIL_ON_RACE };
enum config_mcr { MCR_COMPLETE, MCR_PUBLISHED, MCR_SWITCH, MCR_CHECKED };
enum config_static { STATIC_AUTO, STATIC_OFF, STATIC_ON, STATIC_PUBLISHED, STATIC_PUBLISHED_S };
enum config_when { WHEN_AUTO, WHEN_ALWAYS, WHEN_NEVER, WHEN_JSON }; /* the last one: --progress only */

/* A function or variable that is treated otherwise than the rest of the program; several where it is a pattern. */
enum config_mark_kind { MARK_WITHIN, MARK_WITHOUT, MARK_TRUST, MARK_NO_RACE, MARK_IGNORE };
struct config_mark {
        enum config_mark_kind kind;
        const char *pattern;
        uint32_t actor; /* within, without: of this thread only, or WIRE_NO_ACTOR */
};

struct trace;

struct config {
        struct wire_values nondet; /* values of __VERIFIER_nondet_* */
        uint32_t timeouts;         /* enum wire_timeouts */
        uint32_t spurious;
        uint32_t helpers; /* enum wire_helpers */
        uint32_t signals; /* that may arrive anywhere */
        struct wire_txn_rules txn;
        uint32_t wakeup[WIRE_PRIMITIVES]; /* enum wire_wakeup */
        uint32_t strategy;                /* a row of strategies.def; 0: the default */
        enum config_isolate isolate;
        uint32_t preempt; /* enum wire_preempt; chosen by main from what the program is unless given */
        bool preempt_given;
        uint32_t memory; /* enum wire_memory */
        bool by_gcc;     /* gcc compiled the program; known with weak memory only */
        bool posix_fences;
        bool instrumented;            /* the program calls the hooks of memory accesses */
        bool bounded;                 /* --bound was given */
        uint32_t bound;               /* preemptions */
        uint32_t depth, thread_depth; /* 0: no limit */
        uint32_t pct_depth;
        uint32_t window;            /* --strategy predict: events that operations may be apart, 0: any number */
        enum config_order order;    /* --strategy filters: what is picked from the frontier */
        const char *const *filters; /* ... names of filters, in order */
        uint32_t n_filters;
        uint64_t cache;                 /* ... states that are remembered */
        enum config_mcr mcr;            /* --strategy mcr: which algorithm */
        enum config_static dependences; /* --static: reads that matter only */
        const char *analyser;           /* ... the program that finds them, or NULL; for stories, too */
        bool analysed;                  /* ... the strategy uses them */
        bool exact;                     /* ... and compared word by word */
        uint64_t executions;            /* 0: no limit */
        double seconds;                 /* 0: no limit */
        double minimize_seconds;        /* 0: as seems fit; below 0: never */
        double loop_seconds;            /* --loop-time: no visible operation for so long is an infinite loop (5) */
        uint32_t jobs;                  /* explorers; 0: one */
        double alone_seconds;           /* --jobs: until the others join */
        double solver_seconds;          /* mcr: for one schedule, 0: no limit */
        uint32_t shard, shards;         /* --shard: this part, from 1, of so many; 0: the whole */
        uint32_t plan;                  /* ... executions of its plan, for each shard (60) */
        const char *const *known;       /* --known: reports of shards that tell what is known of the program ... */
        uint32_t n_known;               /* ... so many */
        const char *store;    /* --spool, --cluster: where the jobs of a search on many machines are, NULL: nowhere */
        double lease_seconds; /* ... after which a job of a worker without a sign of life is another's */
        char **words;         /* ... options that workers must have, too */
        uint32_t n_words;
        uint32_t heap_mb; /* of one thread */
        bool keep_going;
        uint32_t ignored;   /* failures that do not count: a set of enum finding_kind */
        bool count_classes; /* how many executions are different Mazurkiewicz traces (classes.h) */
        enum config_heap_checks heap_checks;
        uint32_t fail_malloc; /* allocations of each thread that may fail */
        enum config_leaks leaks;
        enum config_outputs
                outputs; /* what executions print is compared; ON: the order of writes to a stream matters */
        enum config_races races;
        enum config_loops loops; /* what a thread does after a round of a loop that had no effect */
        enum config_fail_on fail_on;
        uint32_t share_from; /* transitions that executions have in common, for a waypoint; 0: never */
        bool check_restore;  /* compare the states that executions begin in */
        uint64_t seed;
        const struct wire_paths *paths; /* reproduce: what every thread must follow, NULL: nothing */
        /* ... and which failures are none: those at another place than the recorded one; NULL: all count */
        bool (*refuses)(void *arg, uint32_t kind, const struct trace *t, uint32_t failure);
        void *refuses_arg;
        const char **observe; /* names */
        uint32_t n_observe;
        const char *save, *resume;                     /* checkpoints, NULL: none */
        double save_seconds;                           /* between two of them (30) */
        uint64_t option_hash;                          /* of all options that decide what is explored */
        const char *const *invariants, *const *finals; /* names of functions */
        uint32_t n_invariants, n_finals;
        bool replay;                     /* one schedule is run again */
        const struct config_mark *marks; /* in the order of the command line */
        uint32_t n_marks;
        bool maximal;     /* deepen: the maximal set of points at once */
        bool test_locks;  /* functions marked HEDDLE_LOCK are as all others */
        bool hand_off;    /* a lock may be released by another thread than the one that took it */
        const char **ops; /* paths of plugins, absolute */
        uint32_t n_ops;
        bool check_ops;
        uint32_t fair;           /* transitions that a thread may be passed over, 0: any number */
        uint32_t fair_after;     /* transitions of one thread after which others run first (2000) */
        uint32_t timeout_rounds; /* timeouts in loops that are explored in a row; 0: not given */
        const char *json, *html, *sarif, *junit, *trace; /* output files, NULL: none, "-": standard output */
        bool no_stdin;                                   /* standard input is not the program's: it reads nothing */
        uint64_t capture; /* stop at this execution and keep its schedule in the result; 0: none */
        bool quiet, verbose;
        bool open; /* the HTML page, in a browser */
        enum config_when progress, color;
        const char *program; /* path of the built program */
        char **argv;         /* its argument vector, argv[0] included, NULL-terminated */
        const char *name;    /* what the user called it: the source or the program */
        const char *runtime; /* what is preloaded: libheddle-rt.so, and more after a colon */
};

/* Is the search shared by processes that were started each by itself?  What the program sees must not differ between them. */
static inline bool config_many(const struct config *c)
{
        return c->shards > 0 || c->store;
}

/* Is it shared at all? */
static inline bool config_shared(const struct config *c)
{
        return c->jobs > 1 || config_many(c);
}

#endif
