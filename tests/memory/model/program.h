/*
 * The little language of the reference model of memory: threads that load and store bytes of one small memory.
 *
 * As text (text.c), one operation a line, `#` begins a comment:
 *
 *     program NAME
 *     thread                        the first one is main
 *       create 1
 *       join 1
 *     thread
 *       store ORDER OFF SIZE VALUE  VALUE is a number or a register
 *       load  ORDER OFF SIZE rK     SIZE is 1, 2, 4 or 8, OFF a multiple of it; rK is set by this operation only
 *                                   if plain, OFF is any, and SIZE may be 16: rK is the lower half plus 3 times the
 *                                   upper one, and VALUE is stored twice
 *       xchg  ORDER OFF SIZE rK VALUE
 *       add   ORDER OFF SIZE rK VALUE
 *       cas   ORDER OFF SIZE rK EXPECTED VALUE
 *       fence ORDER
 *       lock N                      a mutex
 *       unlock N
 *       spinlock OFF                a spinlock that lives in the memory, 4 bytes
 *       spinunlock OFF
 *       await ORDER OFF SIZE VALUE  a loop that loads until it finds VALUE
 *       set OFF SIZE VALUE          memset: any place and size, all bytes the lowest one of VALUE
 *       copy OFF SIZE FROM          memmove within the memory
 *       compare OFF SIZE rK FROM    memcmp within the memory: 0, 1 (less) or 2
 *       if rK VALUE OPERATION       only when the register has this value
 *     end
 *
 * ORDER is one of plain, relaxed, acquire, release, acq_rel, seq_cst.
 */
#ifndef MEMORY_PROGRAM_H
#define MEMORY_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define MAX_THREADS 5
#define MAX_OPS     24 /* of one thread */
#define MAX_REGS    16
#define MEMORY      32 /* bytes */
#define MUTEXES     2
#define NO_REG      (-1)

enum kind {
        OP_STORE,
        OP_LOAD,
        OP_XCHG,
        OP_ADD,
        OP_CAS,
        OP_FENCE,
        OP_LOCK,
        OP_UNLOCK,
        OP_SPINLOCK,
        OP_SPINUNLOCK,
        OP_AWAIT,
        OP_SET,
        OP_COPY,
        OP_COMPARE,
        OP_CREATE,
        OP_JOIN,
        N_KINDS
};

enum order { PLAIN, RELAXED, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST, N_ORDERS };

struct op {
        enum kind kind;
        enum order order;
        int off, size;     /* of an access; off is the number of a mutex or thread otherwise */
        int reg;           /* where the result goes, or NO_REG */
        int from;          /* register that is stored, or NO_REG: value is */
        uint64_t value;    /* stored, added, awaited; where a copy is taken from, or what is compared with */
        uint64_t expected; /* of cas */
        int if_reg;        /* NO_REG: unconditional */
        uint64_t if_value;
};

struct thread {
        struct op ops[MAX_OPS];
        int n;
};

struct program {
        char name[64];
        struct thread threads[MAX_THREADS];
        int n_threads;
        int n_regs;
};

extern const char *const kind_names[N_KINDS];
extern const char *const order_names[N_ORDERS];

/* The lowest `size` bytes. */
static inline uint64_t low(uint64_t v, int size)
{
        return size >= 8 ? v : v & ((UINT64_C(1) << 8 * size) - 1);
}

/* Are there loops?  Then the number of executions says nothing. */
static inline bool has_loops(const struct program *p)
{
        for (int t = 0; t < p->n_threads; t++)
                for (int i = 0; i < p->threads[t].n; i++)
                        if (p->threads[t].ops[i].kind == OP_AWAIT)
                                return true;
        return false;
}

/* Is it a plain access across the words of 8 bytes? */
static inline bool is_wide(const struct op *o)
{
        return (o->kind == OP_LOAD || o->kind == OP_STORE) && o->off % 8 + o->size > 8;
}

static inline bool is_rmw(const struct op *o)
{
        return o->kind == OP_XCHG || o->kind == OP_ADD || o->kind == OP_CAS;
}

/* text.c: 1: read one, 0: end of file, -1: wrong, reported on standard error. */
int program_read(struct program *p, FILE *f);
void program_print(const struct program *p, FILE *f);

/* generate.c: program `index` of a seed; variants of it are other programs. */
void program_generate(struct program *p, uint64_t seed, int index, int variant);

/* emit.c: programs of one C source: the head, the functions of each, then main, which runs the program whose number is
 * its argument, or any of several (heddle_choose).  To be observed: which, r, m. */
void emit_head(FILE *f);
void emit_program(FILE *f, const struct program *p, int index);
void emit_main(FILE *f, int n);

#endif
