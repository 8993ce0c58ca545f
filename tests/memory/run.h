/* Binaries of several random programs, and what heddle finds in them. */
#ifndef MEMORY_RUN_H
#define MEMORY_RUN_H

#include "model/model.h"

#include <stdatomic.h>

#define PER   100
#define BATCH 25

struct options {
        const char *heddle, *build_with, *dir, *strategy;
        uint64_t seed;
        int programs, jobs, only;
        bool memories[N_MEMORIES], stop, sets, reuse;
};

/* Shared by the processes. */
struct totals {
        atomic_int next, differences, programs, skipped, first;
        atomic_ullong executions[N_MEMORIES], vain[N_MEMORIES], outcomes[N_MEMORIES], dfs;
};

struct binary {
        const struct options *o;
        struct totals *totals;
        char path[256]; /* without .c */
        const char *level;
        int n, differences;
        struct program programs[PER];
        struct behaviours model[PER];  /* under the memory model at hand */
        struct behaviours heddle[PER]; /* what heddle found */
};

/* Writes and builds the programs of b->path.  0, or -1. */
int binary_build(const struct binary *b);

/* Runs heddle on some programs of a binary, BATCH at most, and leaves what it found in b->heddle.  False: it failed. */
bool binary_run(struct binary *b, const int *list, int n, const char *strategy, enum memory memory, bool *by_time);

/* Is what heddle found what the model says?  Tells the difference where f is not NULL. */
bool binary_same(const struct binary *b, int index, const char *strategy, FILE *f);

/* reduce.c: tells the smallest program, by dropping operations, that still differs. */
void reduce(const struct binary *b, int index, const char *strategy, enum memory memory);

#endif
