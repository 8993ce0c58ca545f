/* What went wrong in an execution, as a target tells it. */
#ifndef HEDDLE_WIRE_FAILURE_H
#define HEDDLE_WIRE_FAILURE_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/limits.h"

enum wire_failure_kind {
        WIRE_FAIL_ASSERTION,
        WIRE_FAIL_CRASH,
        WIRE_FAIL_ABORT,
        WIRE_FAIL_EXIT_STATUS,
        WIRE_FAIL_LOOP, /* no visible operation for too long */
        WIRE_FAIL_INVARIANT,
        WIRE_FAIL_STARVED,        /* --fair: passed over for too long */
        WIRE_FAIL_MISUSE,         /* of a lock */
        WIRE_FAIL_TRANSACTION,    /* ended where there is none, or nested too deep */
        WIRE_FAIL_USE_AFTER_FREE, /* of the heap, or of a stack that has ended */
        WIRE_FAIL_DOUBLE_FREE,
        WIRE_FAIL_INVALID_FREE,
        WIRE_FAIL_OUT_OF_BOUNDS,
        WIRE_FAIL_LEAK, /* this and the next are made by the explorer, never by a target */
        WIRE_FAIL_RACE, /* --fail-on race */
        WIRE_FAIL_KINDS
};

/* A block of the heap. */
struct wire_block {
        uint64_t start, size;
        uint32_t actor, freed_by;                                      /* threads */
        uint32_t n_allocated;                                          /* 0: there is no block */
        uint32_t n_freed;                                              /* 0: it is not freed */
        uint64_t allocated[WIRE_BLOCK_STACK], freed[WIRE_BLOCK_STACK]; /* call sites, innermost first */
};

/* Is what the target wrote a block, with stacks that fit? */
static inline bool wire_block_sane(const struct wire_block *b)
{
        return b->n_allocated && b->n_allocated <= WIRE_BLOCK_STACK && b->n_freed <= WIRE_BLOCK_STACK &&
               b->actor < WIRE_MAX_THREADS && b->freed_by < WIRE_MAX_THREADS;
}

/* Blocks of one place of allocation at the end of an execution. */
struct wire_leak {
        uint64_t bytes;          /* of those that nothing points to ... */
        uint64_t doubtful;       /* ... and of those that only the stack of a thread that waits may point to */
        uint32_t blocks;         /* that nothing points to */
        uint32_t direct;         /* of these: that no other such block points to either */
        struct wire_block block; /* one of them */
};

struct wire_failure {
        uint32_t kind; /* enum wire_failure_kind */
        uint32_t actor;
        uint32_t signal; /* crash; heap: the operation (enum op); race: what the access is (enum race_kind) */
        uint32_t
                status; /* exit-status; heap: bytes accessed; leak: bytes; invariant: its number, a final's from WIRE_MAX_WATCHED on; misuse: kind of object;
                          * race: what the other access is */
        uint64_t
                addr; /* crash: the address that was touched; loop: 1 if it accesses memory of its own; invariant: the function; misuse: the object; race: the
                          * memory */
        uint64_t other;       /* misuse: where the other half happened, 0: nowhere */
        uint32_t other_actor; /* ... whose it was, or WIRE_NO_ACTOR */
        uint32_t other_op;    /* ... and what; leak: blocks */
        uint64_t site;        /* where */
        uint32_t event;       /* number of entries before it */
        uint32_t n_stack;
        uint64_t stack[WIRE_MAX_STACK];
        struct wire_block block; /* heap */
        char text[WIRE_TEXT];    /* the condition, the message of libc */
};

#endif
