/*
 * What is known of a program: for each thread a trie of what it does, given the values that it has read.
 *
 * A node is a thread's history: the results of its operations so far.  It holds the operation that comes next, which follows
 * from the history, and has a child for every result of it that an execution has shown.  A new thread's root belongs to the
 * creator's node, and a join returns the last node of the joined thread: memory that threads hand over this way is private
 * and leaves no entries.
 *
 * A cell is a part of the shared state: a thread's node, 8 bytes of memory, a synchronisation object, whether a block of the
 * heap was freed.  Its value at the beginning is the same in every execution.
 *
 *   nodes  0: none; 1: the main thread's root
 *   cells  0: none
 */
#ifndef HEDDLE_STRATEGY_MCR_TRIES_H
#define HEDDLE_STRATEGY_MCR_TRIES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "wire/wire.h"

enum node_kind {
        NODE_UNKNOWN,
        NODE_END,  /* the thread has ended */
        NODE_STOP, /* it was stopped: by a failure, an assumption, its exit; it waits for an object that no other uses */
        NODE_CUT,  /* it was stopped after a round of a loop without effect */
        NODE_READ,   /* of memory */
        NODE_WRITE,  /* `value` */
        NODE_UPDATE, /* an atomic read and write: the child says what is written */
        NODE_OBJECT, /* an operation on a synchronisation object (objects.h) */
        NODE_WAIT,   /* ... one that waits for other threads, or wakes them (waits.h) */
        NODE_FREE,   /* of the block in `cell` */
        NODE_CREATE, /* of the thread in `cell`, with root `root`; futexes: `root` is the cell of the queue; delayed stores: of the clock */
        NODE_JOIN,    /* of the thread in `cell` */
        NODE_TRY,     /* ... only if that has ended */
        NODE_CHOOSE,  /* one of `value` values */
        NODE_EXIT,    /* of the process */
        NODE_LOCAL,   /* depends on nothing but the history */
        NODE_ORDERED, /* an operation on an object whose states only the target has (ordered.h) */
        NODE_USER,    /* an operation that a plugin defines (users.h) */
        NODE_CANCEL,  /* the thread whose cell it is is asked to end (wait/cancels.h) */
        NODE_TEST,    /* a cancellation point, and nothing else */
};

#define NODE_POINT    1u    /* it begins a transition; otherwise it belongs to that of the operation before */
#define NODE_WROTE    2u    /* the update that leads here has written `wrote`; the futex operation was not refused */
#define NODE_PLAIN    4u    /* not atomic: may be a part of a data race */
#define NODE_GUESS    8u    /* a write whose value is not known: it has failed every time */
#define NODE_BUFFERED 16u   /* a write that waits in `buffer` (buffers.h) */
#define NODE_DRAINS   32u   /* it waits until all stores of its thread have reached memory */
#define NODE_AWAITED  64u   /* no execution has performed it: a thread was blocked there */
#define NODE_FORCED   128u  /* inside an atomic section: no other actor may run before it */
#define NODE_IGNORED  256u  /* nothing depends on what it reads or writes (--static): neither is known */
#define NODE_WORD     1024u /* it has no entry of its own: another word of the access before it */
#define NODE_LOOSE    512u  /* a read that nothing depends on, by the published rules: it need not keep its value */
#define NODE_CANCELS  2048u /* it is a cancellation point: the thread may have been asked to end */

struct node {
        uint64_t result;                /* of the operation before it */
        uint64_t value, mask;           /* memory: in place in the cell, which bytes */
        uint64_t wrote;                 /* in place in the cell */
        uint64_t obj, site;             /* as in an entry */
        uint32_t parent, child, thread; /* child: one of them, the last that was found */
        uint32_t cell, root;
        uint32_t moved;              /* of a requeue: the queue that waiters are moved to, a cell */
        uint32_t serial, last_store; /* delayed stores before it: how many, and the last of them */
        uint32_t buffer, number;     /* of a delayed store: a cell, and the how-many-th in it, from 1 */
        uint32_t behind;             /* ... it comes after those before this one of its thread, counted from 1 */
        uint32_t accesses;           /* before it, that a data race can be made of (orders.h) */
        uint16_t flags;
        uint16_t led; /* how the operation before it orders (orders_of) */
        uint8_t kind, op;
        uint8_t rank; /* of an operation that may wait, under a policy of priorities: the priority of its thread */
};

enum cell_kind {
        CELL_THREAD,
        CELL_MEMORY,
        CELL_OBJECT,
        CELL_BLOCK,
        CELL_PROCESS,
        CELL_OBSERVED,
        CELL_BUFFER,
        CELL_FLUSHED,
        CELL_WAIT,
        CELL_FUTEX,
        CELL_ORDERED,
        CELL_CLOCK,
        CELL_LAST,
        CELL_SPENT,
        CELL_CANCEL
};

struct cell {
        uint32_t wait; /* of a thread: the cell that says what it waits for, or 0; of a condition variable: the mutex */
        uint64_t key;  /* thread; address / 8 of memory, and of what is observed and not shared; address */
        uint64_t init;
        uint64_t size;          /* of an object or a block, bytes; of memory: those that are accessed, a mask */
        uint64_t ignored, read; /* of memory, masks: written by what is ignored; read by what is not */
        uint32_t order[3];      /* cells of clocks (orders.h), or 0; of memory: the first of 8 */
        uint32_t
                flushed; /* of a thread or a buffer: the cell with the thread's stores that have reached memory, or 0 */
        uint32_t block;  /* the cell of the block that it lies in, or 0 */
        uint32_t
                last; /* of an object: the cell that says which operation on it was the last, and of that: the cell of readers (clocked.h); or 0 */
        uint32_t cancel; /* of a thread: the cell that says whether it was asked to end, or 0 */
        uint32_t states; /* CELL_ORDERED: the root of what is known of its states; else 0 */
        uint8_t kind;    /* enum cell_kind */
        bool final;      /* read when all threads have ended (--observe) */
        bool plain;      /* memory: there are accesses that are not atomic */
};

struct tries {
        VEC(struct node) nodes;
        VEC(struct cell) cells;
        VEC(uint32_t) threads;           /* the cell of each thread, 0: not known yet */
        VEC(uint32_t) blocks;            /* cells */
        VEC(uint32_t) buffers;           /* cells */
        uint32_t process;                /* its cell */
        uint32_t cancels;                /* how many threads are asked to end */
        uint32_t spurious;               /* wakeups without a signal for each condition variable, at most */
        uint8_t wakeup[WIRE_PRIMITIVES]; /* enum wire_wakeup */
        bool inner;                      /* there are accesses that are not points */
        bool mixed;       /* ... other than delayed stores, or other such operations that see the state */
        bool orders;      /* clocks are a part of the state (orders.h) */
        bool recount;     /* ... other accesses count */
        bool clocked;     /* threads read clocks (clocked.h) */
        bool unordered;   /* there are accesses or operations whose clocks are not modelled */
        uint32_t *edges;  /* nodes, by their parent and result: a table of 2^edge_bits */
        uint32_t *places; /* cells, by their kind and key: a table of 2^place_bits */
        uint32_t edge_bits, place_bits;
};

#define TRIES_MAIN 1u

/* In the result of a cancellation point: the thread ends there (wait/cancels.h). */
#define TRIES_CANCELLED UINT64_C(0xca9ce11ed0000000)

void tries_init(struct tries *t);
void tries_fini(struct tries *t);
/* Frees nodes and cells; what takes their place is found after tries_index(). */
void tries_forget(struct tries *t);
void tries_index(struct tries *t);

/* The child of a node for a result; 0: none was seen. */
uint32_t tries_child(struct tries *t, uint32_t node, uint64_t result);
/* The same, made if it is not there. */
uint32_t tries_child_make(struct tries *t, uint32_t node, uint64_t result);
/* A root. */
uint32_t tries_root(struct tries *t, uint32_t thread);

/* The cell; 0: there is none. */
uint32_t tries_cell(const struct tries *t, enum cell_kind kind, uint64_t key);
uint32_t tries_cell_make(struct tries *t, enum cell_kind kind, uint64_t key, uint64_t init);
/* The cell of a thread, made if it is not there. */
uint32_t tries_thread(struct tries *t, uint32_t thread);
/* The cell of a block of the heap; cells in it are linked to it. */
uint32_t tries_block(struct tries *t, uint64_t addr, uint64_t size);

#endif
