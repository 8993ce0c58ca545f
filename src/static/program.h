/*
 * The program under analysis: its functions, calls and accesses, and what its pointers may point to.
 */
#ifndef HEDDLE_STATIC_PROGRAM_H
#define HEDDLE_STATIC_PROGRAM_H

#include "base/ptrmap.h"
#include "static/calls.h"
#include "static/ir.h"
#include "static/points.h"

enum access_kind {
        ACCESS_READ,
        ACCESS_WRITE,
        ACCESS_UPDATE, /* an atomic read and write */
        ACCESS_COPY,   /* of memory */
        ACCESS_SET,    /* memset */
        ACCESS_OUT, /* a call of the table writes memory that an argument points to, with what depends on its arguments */
        ACCESS_IN, /* ... reads it */
};

/* An instruction that accesses memory. */
struct access {
        LLVMValueRef instruction;
        LLVMValueRef address; /* of what is read or written */
        LLVMValueRef value;   /* that is written, or NULL */
        LLVMValueRef source;  /* of a copy: the address that is read */
        uint32_t size;        /* bytes, or CELLS_WHOLE */
        uint8_t kind;         /* enum access_kind */
        bool counts;          /* of a copy: what is read decides how much is copied */
        bool private;         /* no other thread can reach the memory (instrument/escape.h) */
};

struct call {
        LLVMValueRef instruction;
        unsigned first;        /* the operand that is the first argument: not 0 where a thread is started */
        bool starts;           /* a thread: what the function returns goes elsewhere */
        bool unknown;          /* may do anything */
        bool listed;           /* may be of a function in calls.def */
        bool allocates;        /* is of one that returns a new block */
        uint32_t round;        /* of blocks_divide() */
        VEC(uint32_t) callees; /* functions */
};

/* A call whose result, moved by an offset, a function returns (blocks.h). */
struct source {
        LLVMValueRef call;
        int64_t offset;
};

#define BLOCKS_OFFSETS  4u
#define BLOCKS_ANYWHERE INT64_MAX

struct function {
        LLVMValueRef value;
        uint32_t object, result;   /* result: the node of what it returns */
        uint32_t rest, list;       /* node of its variable arguments; object that holds them */
        bool everything;           /* setjmp: all of it depends on everything */
        bool reached;              /* it may be called; otherwise it is not a part of the program */
        VEC(LLVMValueRef) returns; /* values */
        VEC(uint32_t) callers;     /* calls */
        VEC(struct source) sources;
        VEC(int64_t) offsets; /* where in a new block its result may be; more than BLOCKS_OFFSETS: BLOCKS_ANYWHERE */
};

struct program {
        struct ir *ir;
        struct points points;
        struct ptrmap nodes;     /* value -> node + 1 */
        struct ptrmap objects;   /* value -> object + 1 */
        struct ptrmap functions; /* value -> function + 1 */
        struct ptrmap calls;     /* instruction -> call + 1 */
        struct ptrmap others;    /* call that is a source -> node + 1, of what it returns other than new blocks */
        VEC(struct function) all;
        VEC(uint32_t) reached; /* functions */
        VEC(struct call) each_call;
        VEC(struct access) accesses;
        uint32_t given;          /* object: memory that the system gives, which may point to itself */
        uint32_t threads, exits; /* nodes: handles of all threads; what pthread_exit is given */
        uint32_t sent;           /* node: pointers that are sent to a file or pipe */
        uint32_t rounds;         /* of blocks_divide() */
        bool environment;        /* the floating-point environment: flags and traps of operations count */
        bool whole;              /* no unknown code touches its variables by name */
        const char *not_whole;   /* ... otherwise: a function without IR */
        bool solved;             /* otherwise everything depends on everything */
};

void program_fini(struct program *p);

/* Number in a map, or UINT32_MAX. */
uint32_t program_index(const struct ptrmap *m, LLVMValueRef v);
void program_insert(struct ptrmap *m, LLVMValueRef v, uint32_t index);
/* The function that a call names, without casts; or NULL. */
LLVMValueRef program_callee(LLVMValueRef call);
/* Its name, or "". */
const char *program_callee_name(LLVMValueRef call);
/* A function is a part of the program. */
void program_reach(struct program *p, uint32_t function);
/* An intrinsic that does nothing that counts. */
bool program_is_marker(const char *name);
/* A function that accesses no memory. */
bool program_is_pure(LLVMValueRef function);

#endif
