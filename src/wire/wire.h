/*
 * The protocol between the explorer and the target: two shared regions.
 *
 *   down  written by the explorer, mapped read-only in the target: one schedule per message
 *   up    written by the target, mapped read-only in the explorer: one trace per message
 *
 * A message is handed over by incrementing `seq` of a region; the answer comes the same way in the other region.  Both
 * sides run on one core, so a side that waits first yields a few times (unless `crowded`), then says so (`waits`) and sleeps
 * on the futex.  Fields have fixed widths, arrays are at fixed offsets, and nothing is a pointer.  The explorer
 * believes nothing in `up` before it has checked it (trace/trace.h): the program under test has memory bugs.
 *
 * docs/FORMATS.md describes the same layout in words.
 */
#ifndef HEDDLE_WIRE_WIRE_H
#define HEDDLE_WIRE_WIRE_H

#include <stdint.h>

#include "wire/ahead.h"
#include "wire/debug.h"
#include "wire/entry.h"
#include "wire/failure.h"
#include "wire/limits.h"
#include "wire/locked.h"
#include "wire/loop.h"
#include "wire/policy.h"
#include "wire/path.h"
#include "wire/reason.h"
#include "wire/thread.h"
#include "wire/txn.h"

#define WIRE_MAGIC   0x6c646468u
#define WIRE_VERSION 1u

/* Environment of a target: "<fd of down>,<fd of up>". */
#define WIRE_ENV "HEDDLE_WIRE"

/* Sent twice to the target when it shows no progress: at the second the runtime ends the execution with WIRE_FAIL_LOOP and
 * answers. */
#define WIRE_LOOP_SIGNAL 62

/* In an entry of `shared`: the granule is read by invariant k. */
#define WIRE_WATCHED_SHIFT 48

enum wire_mode { /* how an entry touches its object; read/read and commute/commute are independent */
                 WIRE_MODE_NONE,
                 WIRE_MODE_READ,
                 WIRE_MODE_WRITE,
                 WIRE_MODE_COMMUTE,
                 WIRE_MODE_FORWARD,    /* a read of the thread's own buffered store: WIRE_FORWARD(buffer, number) */
                 WIRE_MODE_LINE_READ,  /* a line that a transaction reads or ... */
                 WIRE_MODE_LINE_WRITE, /* ... writes, which aborts by a conflict: independent of each other */
                 WIRE_MODES
};

/* The value of an access in WIRE_MODE_FORWARD: the number-th store, from 1, of a buffer.  Until that has reached memory
 * no other thread can change what is read; from then on it is a read of memory. */
#define WIRE_FORWARD(buffer, number) ((uint64_t)(buffer) << 32 | (number))
#define WIRE_FORWARD_BUFFER(value)   ((uint32_t)((value) >> 32))
#define WIRE_FORWARD_NUMBER(value)   ((uint32_t)(value))

/* TSO: stores of a thread wait in one buffer and reach memory in order; PSO: in one for each place stored to. */
enum wire_memory { WIRE_MEMORY_SC, WIRE_MEMORY_TSO, WIRE_MEMORY_PSO };

/* ALL: a transition is one operation.  SYNC: it is all that a thread does between two points; what these are is said by
 * `points`, rules and marks.  RACES is SYNC for the target. */
enum wire_preempt { WIRE_PREEMPT_ALL, WIRE_PREEMPT_SYNC, WIRE_PREEMPT_RACES };

/* Kinds of operations that may be points or not (op_point_class() in op/op.h); all others are points always. */
#define WIRE_POINT_PLAIN   (1u << 0) /* accesses to memory that are not atomic */
#define WIRE_POINT_ACQUIRE (1u << 1) /* to take a lock or a token, to look at an atomic */
#define WIRE_POINT_RELEASE (1u << 2) /* to give it back, to signal, to store an atomic */
#define WIRE_POINT_SYNC    (WIRE_POINT_ACQUIRE | WIRE_POINT_RELEASE)
#define WIRE_POINT_ALL     (WIRE_POINT_SYNC | WIRE_POINT_PLAIN)

/* What holds while a marked function is on the call stack. */
enum wire_mark_kind {
        WIRE_MARK_ATOMIC,  /* it is one atomic section */
        WIRE_MARK_TRUST,   /* its accesses to memory are not events */
        WIRE_MARK_NO_RACE, /* its events have WIRE_WEAK_QUIET */
        WIRE_MARK_LOCK,    /* the program's own lock: a point only where it waits */
        WIRE_MARK_RULE,    /* rule `rule` matches */
        WIRE_MARK_ERROR,   /* to call it is the failure */
        WIRE_MARK_ASSUME,  /* to abort in it ends the execution, and is not a failure */
};
enum wire_isolate {
        WIRE_ISOLATE_SNAPSHOT,
        WIRE_ISOLATE_FORK,
        WIRE_ISOLATE_DEBUG, /* one execution, with a kernel thread for each thread, and then the end */
};
#define WIRE_CLOCKS_READ   1u /* after an operation that may have moved the thread's time to that of another one */
#define WIRE_CLOCKS_HIDDEN 2u /* something that no entry shows: a state of libc */
enum wire_timeouts { WIRE_TIMEOUTS_EXPLORE, WIRE_TIMEOUTS_NEVER, WIRE_TIMEOUTS_STUCK };
enum wire_tail {
        WIRE_TAIL_RUN_TO_BLOCK, /* ... or up to what may be a timeout */
        WIRE_TAIL_STAY,         /* each until it blocks: no preemption */
        WIRE_TAIL_ROUND_ROBIN,
        WIRE_TAIL_HOLD,   /* each up to its next write, main last; in turns if that takes long */
        WIRE_TAIL_RANDOM, /* from here on by chance */
        WIRE_TAIL_PCT,
        WIRE_TAIL_POS,
        WIRE_TAIL_PATH, /* by chance, among the threads whose recorded time comes first */
        WIRE_TAIL_FOCUS, /* pos, but what is done to one object in an order that is drawn from all orders with equal probability */
};

#define WIRE_YIELDS 4 /* before a side sleeps, on a core that has nothing else to do */

enum wire_print { WIRE_PRINT_MEMORY, WIRE_PRINT_MAPPINGS, WIRE_PRINT_KERNEL, WIRE_PRINTS };
enum wire_command { WIRE_RUN = 1, WIRE_QUIT };

/* Flags of a run. */
#define WIRE_WANT_ENABLED (1u << 0) /* record the enabled actors before every transition */
#define WIRE_DETAIL       (1u << 1) /* record values of plain stores, and the call stack of every entry */
#define WIRE_KEEP_GOING   (1u << 2) /* after a failure the other threads run on to their end */
#define WIRE_SEGMENTS     (1u << 3) /* follow segments and choices, not decisions */
#define WIRE_FINGERPRINT  (1u << 4) /* tell what the state is that the execution begins in: `print` */
#define WIRE_BY_HAND      (1u << 5) /* the decisions are from no earlier run: a thread that waits in a loop is not enabled */
#define WIRE_VALUES       (1u << 6) /* record values of plain stores, and `before` */
#define WIRE_CUT_LOOPS \
        (1u << 7) /* a thread whose round had no effect stops; else it waits for a change of what it read */
#define WIRE_FAIR      (1u << 8) /* `fair_limit` and `timeout_limit` apply */
#define WIRE_NO_CYCLES (1u << 9) /* whatever `cycles` says, states are not compared */
/* For the explorer: the last transition of the prefix is a choice that touches nothing, and this process has run all
 * executions from there with smaller values. */
#define WIRE_SETTLED (1u << 10)
#define WIRE_AWAITS  (1u << 11) /* with WIRE_CUT_LOOPS: a read whose round is known to have no effect waits */
#define WIRE_WATCH   (1u << 12) /* ask the explorer to set debug registers before the program continues */

/* A stretch of a schedule text: the thread runs until it has made `until` hook calls in all.  With WIRE_FLUSH: those of its
 * buffered stores reach memory that it made up to that hook call (PSO: at that one). */
#define WIRE_FLUSH (UINT32_C(1) << 31)
struct wire_segment {
        uint32_t actor;
        uint32_t until;
};

/* An observed variable, or one element of it: at most 8 bytes. */
struct wire_cell {
        uint64_t addr;
        uint32_t size;
        uint32_t pad;
};

struct wire_range {
        uint64_t lo, hi;
};

/* A function, or several, that options or attributes mark. */
struct wire_mark {
        uint64_t lo, hi; /* code */
        uint32_t kind;   /* enum wire_mark_kind */
        uint32_t rule;   /* WIRE_MARK_RULE */
};

/* One --within or --without.  The last one that matches the call stack decides. */
struct wire_rule {
        uint32_t within; /* 0: without */
        uint32_t actor;  /* the thread that it holds for, or WIRE_NO_ACTOR */
};

struct wire_module {
        uint64_t base; /* load bias */
        char path[248];
};

/* A module that was not there before main, and its instructions among `locked`. */
struct wire_later {
        struct wire_module module;
        uint32_t first, n;
};

/* The causal name of a thread: the n-th child of its parent.  Slot 0 is the main thread. */
struct wire_name {
        uint16_t parent;
        uint16_t pad;
        uint32_t nth;
};

/* PSO: a buffer is that of a thread for an address; its actor is the size of the pool + its place in the table. */
struct wire_buffer {
        uint64_t addr;
        uint16_t thread;
        uint16_t pad[3];
};

/* Other programs that the program starts. */
enum wire_helpers { WIRE_HELPERS_RUN, WIRE_HELPERS_RECORD, WIRE_HELPERS_REFUSE };

struct wire_down {
        uint32_t magic, version;
        uint32_t seq;     /* futex: incremented for each message */
        uint32_t waits;   /* the explorer sleeps on up->seq and must be woken */
        uint32_t crowded; /* others want this core: sleep without yielding */
        uint32_t command;

        /* Configuration: constant for the life of a target. */
        uint32_t preempt, isolate;
        uint32_t memory; /* enum wire_memory */
        uint32_t
                posix_fences; /* every operation on threads and their objects waits until the thread's buffer is empty */
        uint32_t by_gcc;      /* gcc compiled it: a store may be announced too early */
        uint32_t pool;        /* threads to prepare, main included */
        uint32_t stack_kb;
        uint32_t heap_mb;              /* of one thread: malloc fails beyond it */
        uint32_t processors;           /* of the machine that are online, 0: not known */
        uint64_t cpus[WIRE_CPU_WORDS]; /* those that heddle was started with: a set, empty: not known */
        uint32_t fail_malloc;          /* allocations of each thread that may fail */
        uint32_t heap_checks;          /* accesses to the heap and to stacks are checked */
        uint32_t leaks;                /* blocks that nothing points to at the end are looked for */
        uint32_t n_cells;
        uint32_t n_marks, n_rules, n_ignored;
        uint32_t n_locked, n_unseen, n_later;
        uint32_t served;   /* futex: requests of the target (`asks`) that are answered */
        uint32_t hand_off; /* a lock may be released by another thread than the one that took it */
        uint32_t n_invariants, n_finals;
        uint32_t watch_always;            /* writes are not seen: invariants are evaluated after every transition */
        uint32_t output;                  /* the program's output is wanted */
        uint32_t order_output;            /* two writes to one stream are dependent */
        uint32_t timeouts;                /* enum wire_timeouts */
        struct wire_values nondet;        /* values of __VERIFIER_nondet_*; none: 0, 1, 2 and -1 */
        uint32_t spurious;                /* wakeups without a signal for each condition variable, at most */
        uint32_t helpers;                 /* enum wire_helpers */
        uint32_t signals;                 /* of an execution whose handlers run at any preemption point */
        uint32_t wakeup[WIRE_PRIMITIVES]; /* enum wire_wakeup */
        uint64_t seed;
        struct wire_txn_rules txn;
        uint32_t cycles;     /* enum wire_cycles */
        uint32_t fair;       /* a thread may be passed over by so many transitions, 0: by any number */
        uint32_t fair_after; /* the tail lets others run after so many transitions of one thread in a row */
        uint32_t share_from; /* executions with so many decisions in common may share a waypoint; 0: never */
        uint32_t n_plugins;  /* of users' operations, loaded with the program */
        char plugins[WIRE_MAX_PLUGINS][WIRE_PATH];

        /* The message. */
        uint32_t flags;
        uint32_t n_prefix;
        uint32_t same;       /* the first so many decisions are those of the last message */
        uint32_t n_hints;    /* decisions that follow the prefix; given up as soon as one cannot be followed */
        uint32_t n_sleep;    /* holds in the state before the last transition of the prefix, ... */
        uint32_t n_last;     /* ... which has so many decisions: more than 1 if there are choices inside a section */
        uint32_t n_segments; /* with WIRE_SEGMENTS */
        uint32_t n_choices;  /* with WIRE_SEGMENTS: answers in the order in which they are asked for */
        uint32_t tail;
        uint32_t tail_depth;   /* WIRE_TAIL_PCT: change points + 1; WIRE_TAIL_PATH: PATH_STRICT, PATH_FREE */
        uint32_t tail_steps;   /* WIRE_TAIL_PCT: they lie among the first so many steps */
        uint64_t focus;        /* WIRE_TAIL_FOCUS: the object, ... */
        uint32_t n_weights;    /* ... and in `weights` how often each of the first actors is expected to use it */
        uint32_t depth;        /* entries, 0: no limit but the trace's */
        uint32_t thread_depth; /* transitions of any one thread, 0: no limit */
        uint64_t run_seed;     /* of a random tail */
        uint32_t points;       /* WIRE_POINT_*: operations that are points */
        uint32_t n_sites;      /* ... and those at these places of the code */
        uint32_t sites_seq;    /* changes with `sites` */
        uint32_t n_ahead;      /* schedules to run before this one, ... */
        uint32_t ahead_list[WIRE_AHEAD_BATCH]; /* ... by their places in `ahead` */

        /* Grow only, survive a restart of the target. */
        uint32_t n_shared; /* granules known to be shared */
        uint32_t n_names;  /* thread names known, main included */
        uint32_t n_buffers;
        uint32_t n_loops;
        uint32_t loop_depth;    /* bytes of a stack, below where a thread begins, that are empty at the beginning */
        uint32_t fair_limit;    /* with WIRE_FAIR: transitions of a thread after which others run first; 0: no limit */
        uint32_t timeout_limit; /* with WIRE_FAIR: timeouts in a row at one place that are explored; 0: no limit */

        uint32_t n_wasted, n_agreed, wasted_seq; /* wasted_seq: grows with each change of `wasted` */
        uint64_t wasted[WIRE_MAX_WASTED]; /* a table of hashes, 0: empty: reads that lead back to where they are made */
        uint64_t agreed[WIRE_MAX_AGREED]; /* those of `wasted` with which an exploration restarts, in ascending order */
        struct wire_txns txns;            /* that this schedule is known to come to */
        struct wire_cell cells[WIRE_MAX_CELLS];
        struct wire_mark marks[WIRE_MAX_MARKS];
        struct wire_rule rules[WIRE_MAX_RULES];
        struct wire_locked locked[WIRE_MAX_LOCKED]; /* by address; those of `later` come behind, each by address */
        struct wire_later later[WIRE_MAX_LATER]; /* modules that were loaded while the program ran, and are known now */
        char unseen[WIRE_MAX_UNSEEN][WIRE_TEXT]; /* instructions that are not understood, and where they are */
        struct wire_range ignored[WIRE_MAX_IGNORED]; /* memory whose accesses are not events */
        uint64_t sites[WIRE_MAX_SITES];
        uint64_t invariants[WIRE_MAX_WATCHED], finals[WIRE_MAX_WATCHED]; /* functions */
        uint32_t weights[WIRE_MAX_THREADS];
        struct wire_name names[WIRE_MAX_THREADS];
        struct wire_buffer buffers[WIRE_MAX_THREADS];
        struct wire_sleep sleep[WIRE_MAX_SLEEP];
        struct wire_decision prefix[WIRE_MAX_EVENTS];
        struct wire_access footprint[WIRE_MAX_FOOTPRINT];
        struct wire_segment segments[WIRE_MAX_SEGMENTS];
        uint32_t choices[WIRE_MAX_SEGMENTS];
        uint64_t shared[WIRE_MAX_SHARED]; /* addresses divided by 8, and what watches them */
        struct wire_loop loops[WIRE_MAX_LOOPS];
        struct wire_paths paths; /* what every thread must follow; constant but for `left` */
        struct wire_ahead ahead[WIRE_AHEAD];
};

/* A node of the tree of call stacks: a call site, and the frame it was called from.  Frame 0 is the root and no call. */
struct wire_frame {
        uint64_t site;
        uint32_t parent;
        uint32_t pad;
};

/* Memory on a stack that an entry touched: the frame pointer of the function it belongs to, and a call site in that. */
struct wire_local {
        uint64_t addr, site, base;
};

/* Executions that come back to an earlier state: not looked for, now and then, always. */
enum wire_cycles {
        WIRE_CYCLES_NEVER,
        WIRE_CYCLES_SOME,
        WIRE_CYCLES_ALL,
};

enum wire_end {
        WIRE_END_NONE,
        WIRE_END_DONE,         /* every thread ended, or one exited and the rest are done or blocked */
        WIRE_END_STUCK,        /* deadlock or livelock: the thread states tell */
        WIRE_END_FAILED,       /* see failures */
        WIRE_END_SLEEP,        /* every enabled actor sleeps: redundant */
        WIRE_END_ASSUME,       /* a thread's assumption did not hold */
        WIRE_END_DEPTH,        /* cut by depth or by the size of a trace */
        WIRE_END_BUDGET,       /* a thread was cut: WIRE_T_BUDGET */
        WIRE_END_DIVERGED,     /* a decision could not be followed: `step`, `text` */
        WIRE_END_UNSUPPORTED,  /* a call that is not modelled: `text` names it */
        WIRE_END_MORE_THREADS, /* the pool is too small: `step` threads are needed */
        WIRE_END_FAULT,        /* the runtime itself failed: `text` */
        WIRE_END_MISUSE,       /* function `step` of --invariant (--final: from WIRE_MAX_WATCHED on) does `text` */
        WIRE_END_PLUGIN,       /* a plugin of users' operations is wrong: `text` */
        WIRE_END_MORE_STACK,   /* the stacks of the pool are too small: `step` KiB are needed */
        WIRE_END_UNSEEN,       /* all wait, one in a loop, and what that reads has changed without our seeing it */
        WIRE_END_CYCLE,        /* the state is the one before transition `step` */
        WIRE_END_CUT,     /* a thread stopped after a round without effect, which saw values that are no longer there */
        WIRE_END_TOGGLES, /* all wait, in loops that write and restore what others of them read */
        WIRE_END_LOOP, /* a thread came (back) to a place that is not in `loops`: `loop_stack`; or is below `loop_depth` */
        WIRE_END_TXN,   /* a transaction aborted, or committed where it must not: `txn` */
        WIRE_END_EARLY, /* weak memory: the store of entry `step` - 1 was not made before the next operation */
};

/* The name that the program gave to an object (heddle_name). */
struct wire_label {
        uint64_t addr;
        char name[56];
};

struct wire_up {
        uint32_t magic, version;
        uint32_t seq;   /* futex: incremented for each answer; 1 answers the start of the target */
        uint32_t waits; /* the target sleeps on down->seq and must be woken */
        uint32_t asks;  /* times that it waited for the explorer to look at new modules */
        uint32_t pid;
        uint32_t running; /* the target is inside an execution */
        uint32_t end;     /* enum wire_end */
        uint32_t
                overruled; /* times that the schedule let a thread continue which the spin detector had blocked in this run */
        uint32_t step;
        uint32_t n_events; /* also the sign of progress */
        uint32_t n_transitions;
        uint32_t n_threads;
        uint32_t n_failures;
        uint32_t n_new_shared; /* granules found shared that were not logged from the start: run again */
        uint32_t n_names;
        uint32_t n_buffers;
        uint32_t n_modules;
        uint32_t restorable; /* 0: the snapshot cannot undo what this execution did; `restore_text` says what */
        uint32_t unfiltered; /* seccomp is not permitted here: everything is put back every time */
        uint32_t final;      /* the target ended before a snapshot was taken: it cannot run again */
        int32_t exit_status;
        uint32_t n_labels;
        uint32_t n_assumed;   /* files and sockets that are taken to answer the same in every execution, so far */
        uint32_t n_hashes;    /* of states, see `hashes` */
        uint32_t gave_way;    /* WIRE_TAIL_PCT: how often a thread ran alone for too long */
        uint32_t timeouts;    /* of this execution ... */
        uint32_t timeout_row; /* ... and most of them in a row at one place of one thread */
        uint32_t endless;     /* threads ran for long after the process had exited */
        uint32_t used_up;     /* threads that are at `fair_limit` at the end */
        uint32_t clocks;      /* bits WIRE_CLOCKS_ */
        uint32_t updates;     /* some execution so far had an atomic update outside of known loops */
        uint32_t n_touched;   /* of `touched` */
        uint64_t heap_used;
        struct wire_txn_answer txn;
        uint8_t env_read[WIRE_MAX_ENV / 8]; /* bits: the entries of the environment whose values it asked for so far */
        struct reasons reasons; /* what was not covered and no schedule can bring, by all executions so far */
        char text[WIRE_TEXT];
        char restore_text[WIRE_TEXT];

        /* WIRE_FINGERPRINT: hashes of the state that was restored, and where each differs from the first one. */
        uint32_t n_prints; /* of this target so far */
        uint64_t print[WIRE_PRINTS];
        char print_text[WIRE_PRINTS][WIRE_TEXT];

        uint32_t leaks_known; /* `leaks` tells all; it does not after an abnormal end */
        uint32_t n_leaks;
        struct wire_leak leaks[WIRE_MAX_LEAKS];
        uint32_t loop_depth;   /* WIRE_END_LOOP: bytes of the stack in use, */
        uint32_t n_loop_stack; /* the site, and the words of the stack above it; 0: the loop is known */
        uint64_t loop_stack[WIRE_LOOP_STACK];
        uint32_t loop_looks; /* it is the place of a loop; else only what is live there is wanted */
        uint32_t n_wasted;   /* to be added to `wasted` */
        uint32_t restart;    /* WIRE_RESTART_*: the exploration begins again with what was learnt */
        uint64_t wasted[WIRE_NEW_WASTED];
        uint32_t n_awaits;
        struct wire_await awaits[WIRE_MAX_AWAITS];
        uint64_t
                touched[WIRE_MAX_TOUCHED]; /* ends of instructions that accessed a word under watch (debug registers) */
        struct wire_failure failures[WIRE_MAX_FAILURES];
        struct wire_debug debug;
        struct wire_label labels[WIRE_MAX_LABELS];
        char assumed[WIRE_MAX_ASSUMED][WIRE_ASSUMED_TEXT];
        struct wire_module modules[WIRE_MAX_MODULES];
        struct wire_name names[WIRE_MAX_THREADS];
        struct wire_buffer buffers[WIRE_MAX_THREADS];
        struct wire_thread threads[WIRE_MAX_THREADS];
        uint64_t new_shared[WIRE_MAX_SHARED];
        /* WIRE_DETAIL: the innermost frame of the call stack of each entry. */
        uint32_t n_frames;
        uint32_t n_locals; /* with WIRE_DETAIL */
        struct wire_frame frames[WIRE_MAX_FRAMES];
        struct wire_local locals[WIRE_MAX_LOCALS];
        uint32_t n_blocks; /* with WIRE_DETAIL: of the heap that entries touched */
        struct wire_block blocks[WIRE_MAX_BLOCKS];
        uint32_t stacks[WIRE_MAX_EVENTS];
        struct wire_event events[WIRE_MAX_EVENTS];
        uint64_t before[WIRE_MAX_EVENTS]; /* WIRE_VALUES: of accesses, the aligned 8 bytes; of others, the priority */
        /* WIRE_WANT_ENABLED: `enabled_words` words for each transition, in order. */
        uint32_t enabled_words;
        uint32_t enabled_overflow;
        uint64_t enabled[WIRE_MAX_EVENTS];
        uint64_t hashes[WIRE_MAX_HASHES]; /* WIRE_CYCLES_ALL: of the state before each transition, 0: not known */
        /* Records of users' operations (op/records.c): they only grow, and survive a restart of the target. */
        uint32_t n_states; /* words */
        uint32_t state_heads[WIRE_STATE_HEADS];
        uint64_t states[WIRE_STATE_WORDS];
        uint64_t followed[WIRE_MAX_PATHS]; /* of each of `paths`: the bits that were followed in this execution */
        uint64_t followed_all;             /* their sum */
        uint64_t left_path;                /* where a thread has left its path, for `left` of `paths`; 0: nowhere */
        struct wire_ahead_answer ahead[WIRE_AHEAD];
};

#endif
