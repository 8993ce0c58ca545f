/*
 * Which reads matter: docs/proofs/static.md.
 *
 * A value is *relevant* if a branch, an address, an argument of a call that is not analysed, a division, a returned value that
 * unknown code sees, or a written value that a relevant read may see, depends on it.  Marks are made backwards, from what uses a
 * value to what it comes from, so each mark knows the next step to its use.
 */
#ifndef HEDDLE_STATIC_RELEVANCE_H
#define HEDDLE_STATIC_RELEVANCE_H

#include "static/program.h"

enum edge_kind {
        EDGE_DATA,      /* a value is computed from it */
        EDGE_BRANCH,    /* a branch, switch or computed jump decides by it */
        EDGE_ADDRESS,   /* an address is computed from it */
        EDGE_ARGUMENT,  /* it is an argument of a call that is not analysed, or divides, or is the size of a copy */
        EDGE_RETURN,    /* it is returned */
        EDGE_PARAMETER, /* it is handed to a function of the program */
        EDGE_MEMORY,    /* it is written to memory that is read */
        EDGE_UNKNOWN,   /* unknown code may read the memory */
        EDGE_HEAP,      /* the memory may hold a pointer to the heap: leaks depend on it */
        EDGE_OBSERVED,  /* --observe, an output */
        EDGE_CONTROL,   /* only of the graph: it is executed or not */
        EDGE_CALL,      /* only of the graph */
        EDGE_KINDS
};

struct mark {
        LLVMValueRef value;
        LLVMValueRef use; /* the instruction that uses it */
        uint32_t next;    /* the mark that this one is for, or UINT32_MAX: it is a root */
        uint8_t kind;     /* enum edge_kind */
};

struct relevance {
        struct program *program;
        VEC(struct mark) marks;
        struct ptrmap marked;    /* value -> mark + 1 */
        struct writers *writers; /* of each object */
        struct demands *demands; /* of each object: what was asked for */
        struct ptrmap accesses;  /* instruction -> access + 1 */
        uint8_t *relevant;       /* of each access: its event is a part of the history */
        uint32_t *why;           /* of each access: the mark, or UINT32_MAX */
        const char *dropped;     /* for tests: a kind of edge that is left out, or NULL */
};

/* observed: names of variables whose last values count, NULL at the end; dropped: for tests, the name of a kind of edge that is
 * left out, or NULL. */
void relevance_init(struct relevance *r, struct program *p, char *const *observed, const char *dropped);
void relevance_fini(struct relevance *r);
const char *relevance_edge_name(enum edge_kind kind);
/* The mark of a value, or UINT32_MAX. */
uint32_t relevance_mark(const struct relevance *r, LLVMValueRef v);

/* The first access of an instruction, or UINT32_MAX. */
uint32_t relevance_access(const struct relevance *r, LLVMValueRef v);

#endif
