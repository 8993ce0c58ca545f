/*
 * Leaks: what an exploration knows of each place of allocation whose blocks were lost when an execution ended.
 *
 * Blocks belong together when they were allocated by the same calls.  The table in struct result grows over the
 * executions.
 */
#ifndef HEDDLE_TRACE_LEAK_H
#define HEDDLE_TRACE_LEAK_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/wire.h"

struct leak_amount {
        uint64_t bytes, executions;
};

struct leak {
        uint64_t key;                /* leak_key() of its blocks */
        uint64_t least;              /* bytes lost in every execution at least: some ended with no more */
        struct leak_amount *amounts; /* what executions ended with, 0 omitted; owned */
        uint32_t n_amounts;
        uint32_t blocks;         /* in the first execution that showed it */
        struct wire_block block; /* ... one of them */
        bool merged;             /* result_merge(): both results know it */
        struct finding *held;    /* that execution, until others show less: then it is a failure; owned, may be NULL */
};

/* The same for blocks that were allocated by the same calls. */
uint64_t leak_key(const struct wire_block *b);

/* Executions that lost more than `least`. */
uint64_t leak_executions(const struct leak *l, uint64_t least);

/* One execution, or several, of which `l` tells: its amounts are taken over.  0, or -1: out of memory. */
int leak_add(struct leak *l, uint64_t bytes, uint64_t executions);

#endif
