/* The threads of the program, as they are at the end of an execution. */
#ifndef HEDDLE_WIRE_THREAD_H
#define HEDDLE_WIRE_THREAD_H

#include <stdint.h>

#include "wire/limits.h"

enum wire_thread_state {
        WIRE_T_UNUSED,
        WIRE_T_READY,   /* at a scheduling point, its operation may run */
        WIRE_T_BLOCKED, /* at a scheduling point, its operation may not run */
        WIRE_T_SPIN,    /* waits in a loop for a change of what it read */
        WIRE_T_DONE,
        WIRE_T_FAILED, /* stopped by a failure */
        WIRE_T_ASSUME, /* stopped by an assumption that does not hold */
        WIRE_T_BUDGET, /* has used up its share of --thread-depth, or came to a limit of heddle */
        WIRE_T_EXITED, /* called exit() or returned from main */
        WIRE_T_BUFFER, /* no thread but a store buffer; `holder` is its thread */
};

/* A thread at the end of an execution. */
struct wire_thread {
        uint32_t state; /* enum wire_thread_state */
        uint32_t op;    /* its pending operation */
        uint64_t obj;
        uint64_t value; /* users' operations: a record */
        uint64_t site;
        uint32_t pos;
        uint32_t holder;  /* the thread that holds obj, or WIRE_NO_ACTOR */
        uint32_t n_stack; /* call sites, innermost first */
        uint32_t transitions;
        uint32_t cancels; /* the pending operation is a cancellation point, and others may ask it to end */
        uint64_t stack[WIRE_MAX_STACK];
        char name[32]; /* pthread_setname_np, or the start function is looked up in `start` */
        uint64_t start;
};

#endif
