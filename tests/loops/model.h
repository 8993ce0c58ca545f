/* Random programs with loops: their code for a model of their states, and for a compiler. */
#ifndef LOOPS_MODEL_H
#define LOOPS_MODEL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define THREADS   3
#define VARIABLES 4 /* the last one is a lock */
#define LOCKS     2
#define REGISTERS 5 /* a, b, c, one for tests and one for counting */
#define CODE      96
#define ASSERTS   16
#define OUTCOMES  256

enum code_op {
        LOAD,
        STORE,
        STORE_NOW, /* never delayed */
        STORE_REGISTER,
        EXCHANGE,
        CAS,
        CAS_NEXT,
        CAS_TO,
        SET,
        ADD,
        IF_EQUAL,
        IF_OTHER,
        IF_SAME,
        GO,
        ASSERT,
        LOCK,
        TRY,
        UNLOCK,
        FENCE,
        END
};

/* Under tso and pso all stores are relaxed, but for those of some loops. */
enum memory { SC, TSO, PSO };
extern enum memory memory;

/* Most loops are attempts that fail and start over with what they have read. */
extern bool retries;

/* ... are such that keep what they have read in a variable whose address is handed on. */
extern bool results;

struct code {
        uint8_t op, to, var, value, more;
        uint8_t target;
};

struct program {
        uint32_t n_threads;
        struct code code[THREADS][CODE];
        uint32_t n[THREADS];
        uint8_t first[VARIABLES];
        uint32_t lines[ASSERTS], n_asserts; /* in the text */
        bool toggles;                       /* a loop of it has effects and continues */
};

/* What executions can show. */
struct behaviour {
        uint8_t outcomes[OUTCOMES][VARIABLES];
        uint32_t n_outcomes;
        uint32_t failed; /* a set of assertions */
        bool livelock;   /* a state from which nothing changes any more, though a thread has not ended */
        bool endless;    /* a state from which no end can be reached */
        bool too_large;
};

/* Program `index`; its text goes to `out`, whose lines are counted by *line. */
void program_make(struct program *p, uint64_t seed, uint32_t index, FILE *out, uint32_t *line);

void behaviour_find(const struct program *p, struct behaviour *b);

#endif
