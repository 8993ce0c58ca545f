/* What section.c keeps of each thread: the sections that it is in. */
#ifndef HEDDLE_RT_SCHED_SECTION_STATE_H
#define HEDDLE_RT_SCHED_SECTION_STATE_H

#include <stdbool.h>
#include <stdint.h>

struct section_state {
        uint32_t atomic;  /* depth of atomic sections; section.c and marks.c */
        uint32_t ignored; /* depth of sections whose accesses are ignored */
        bool hidden;      /* its accesses are to what stands for a state that no entry shows */
        bool inside;      /* its operations are atomic for the others outside of such a section: locks of libc */
        uint32_t txn;     /* depth of transactions; rt/txn, as all below */
        uint32_t aborts;  /* of its transactions, since the last one that committed */
        bool conflict;    /* the transaction only tells what it touches: the schedule wants it to abort with ... */
        uint32_t code;    /* ... this, if another thread was there */
        bool offered;     /* it could have been chosen to abort by a conflict */
        bool must_abort;  /* the schedule wants this transaction to abort by itself */
        uint32_t hooks;   /* hook calls when the transaction began ... */
        uint32_t events;  /* ... entries of the trace ... */
        uint32_t begun;   /* ... and transitions */
};

#endif
