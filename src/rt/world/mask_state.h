/* What signal_state.c and delivery.c keep of each thread. */
#ifndef HEDDLE_RT_WORLD_MASK_STATE_H
#define HEDDLE_RT_WORLD_MASK_STATE_H

#include <stdbool.h>
#include <stdint.h>

/* How a call that has to wait ends when a handler has run. */
enum interrupts {
        INTERRUPTS_NEVER,    /* the wait continues */
        INTERRUPTS_RESTARTS, /* EINTR, or with SA_RESTART it continues */
        INTERRUPTS_ALWAYS,   /* EINTR */
        INTERRUPTS_ONLY,     /* EINTR, and nothing else ends it: sigsuspend */
};

struct mask_state {
        uint64_t mask;    /* its signal mask, while the kernel thread that all share has another's */
        uint64_t pending; /* signals to itself that it blocks */
        uint64_t awaited; /* those that it waits for in sigwait or a relative of it */
        /* delivery.c: */
        uint8_t ready;      /* messages that may run a handler now */
        uint32_t sent;      /* how many were sent to it, or could have been */
        uint8_t ends;       /* 0, or one that it blocked and that ends the process (delivery_settled()) */
        uint8_t depth;      /* handlers that run, one inside the other */
        bool due;           /* ... one must run at the next point: the thread was in the kernel since it was sent */
        bool fresh;         /* ... of which it has not had the chance to run any: the next operation is a point */
        bool skip;          /* the point has been passed; the operation follows */
        bool spins;         /* the thread waits in a loop: it runs now */
        bool waits;         /* a handler runs while the thread waits in a queue */
        bool interrupted;   /* the call under way ends with EINTR */
        uint8_t interrupts; /* enum interrupts, of the call under way */
        bool timed;         /* ... which looks once, and then its time is up */
        uint64_t until;     /* ... which sleeps until then, 0: it does not */
        uintptr_t sp;       /* of the outermost handler */
        /* unsafe.c: */
        bool in_heap;          /* handlers that run now interrupt a call of the heap */
        const void *in_stream; /* ... or one on this stream */
};

#endif
