/*
 * A small random program with transactions, and all that it may do.
 *
 * Threads access three cells, alone in their cache lines or all in one, and two mutexes.  A thread folds what it sees into its
 * result, r[thread]; the results and the cells at the end are the outcome.  Operations with a condition are performed if their
 * cell has their value.
 */
#ifndef TXN_PROGRAM_H
#define TXN_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define MAX_THREADS 3
#define MAX_OPS     48
#define CELLS       3
#define MUTEXES     2

enum kind {
        OP_LOAD,
        OP_STORE,
        OP_ADD,    /* an atomic update, folds the old value */
        OP_INC,    /* a load and a store */
        OP_FENCE,
        OP_LOCK,
        OP_UNLOCK,
        OP_TEST,   /* folds _xtest() */
        OP_MALLOC, /* a block is used and freed */
        OP_ABORT,  /* if the cell has the value: _xabort(code) */
        OP_CALL,   /* ... a system call */
        OP_NEST,   /* an inner transaction begins */
        OP_UNNEST,
        OP_BEGIN,  /* a transaction: up to `to` - 1, an OP_END; then the fall-back path up to the `to` of that */
        OP_END,
        N_KINDS
};

struct op {
        enum kind kind;
        int at; /* cell or mutex */
        int value, code;
        int to, tries; /* so often it is begun before the fall-back path */
        bool tested;   /* the status is folded */
};

struct thread {
        struct op ops[MAX_OPS];
        int n;
};

struct program {
        struct thread threads[MAX_THREADS];
        int n_threads;
        bool packed; /* the cells are in one line */
};

enum memory { SC, TSO, PSO, N_MEMORIES };

struct outcome {
        uint32_t r[MAX_THREADS];
        int32_t x[CELLS];
        uint64_t traces;
};

struct behaviour {
        struct outcome *outcomes; /* sorted */
        int n;
        bool all; /* false: given up */
        bool counted; /* the classes, too */
};

void program_generate(struct program *p, uint64_t seed);

void emit_head(FILE *f);
void emit_program(FILE *f, const struct program *p, int index);
void emit_main(FILE *f, int n);

void model_run(struct behaviour *b, const struct program *p, enum memory memory, bool stm);

/* One more execution with this outcome. */
void behaviour_add(struct behaviour *b, const struct outcome *o);

#endif
