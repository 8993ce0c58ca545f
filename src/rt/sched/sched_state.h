/* What sched.c keeps of each thread: its turns, and its place in the sleep set. */
#ifndef HEDDLE_RT_SCHED_SCHED_STATE_H
#define HEDDLE_RT_SCHED_SCHED_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "op/footprint.h"

struct thread;

/* Valid while the actor sleeps. */
struct sleep_state {
        bool asleep;                /* it is in the sleep set */
        uint32_t first;             /* its footprint: the first access in wire_down's `footprint` ... */
        struct footprint_rows rows; /* ... and the rows from there */
};

struct turn_state {
        uint32_t patience;           /* the hook call at which others run first if it has done nothing visible */
        uint32_t transitions;        /* that it has made in this execution */
        uint32_t spent;              /* --thread-depth: those that count */
        uint32_t share;              /* with `fair_limit`: `spent` at which others run first ... */
        bool let_go;                 /* ... none of them can: it continues */
        uint32_t last;               /* --fair (fair.c): transitions of all threads up to its last one */
        uint64_t priority;           /* tail.c, random policies: drawn; 0: not yet */
        struct thread *eager_parent; /* while it runs up to its first visible operation: the thread to return to */
        bool also_shared;            /* the operation that it arrives at touches another object too, which is shared */
        bool point_due; /* where transitions are blocks: its next operation that others can observe begins one */
        bool visible;   /* with segments: it waits at an operation that others can observe */
};

#endif
