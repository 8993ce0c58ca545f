/* The reference model: all behaviours of a program under a memory model. */
#ifndef MEMORY_MODEL_H
#define MEMORY_MODEL_H

#include "program.h"

enum memory { SC, TSO, PSO, N_MEMORIES };
extern const char *const memory_names[N_MEMORIES];

/* What is left when all threads have ended: registers that were never set are 0. */
struct outcome {
        uint64_t r[MAX_REGS];
        uint8_t m[MEMORY];
        uint64_t traces; /* how many Shasha-Snir traces end so */
};

struct behaviours {
        struct outcome *outcomes; /* in the order of their bytes */
        int n, room;
        uint64_t traces; /* inequivalent complete executions */
        uint64_t stuck;  /* inequivalent executions in which a thread waits forever */
        uint64_t states; /* looked at */
        double paths;    /* executions, equivalent ones included */
        bool all;        /* false: given up at the limit of states */
};

/* Runs all interleavings of steps and flushes.  Frees nothing of `b` before: it is to be zeroed or finished. */
void model_run(struct behaviours *b, const struct program *p, enum memory memory, uint64_t limit);

/* Program `index` of a seed as the tests use it: no thread waits forever, and two of three are such that pso has
 * behaviours that sc has not; unless none of several variants is so. */
void model_choose_program(struct program *p, uint64_t seed, int index);

#define MODEL_STATES 20000 /* enough for generated programs, most often */

void behaviours_fini(struct behaviours *b);

#endif
