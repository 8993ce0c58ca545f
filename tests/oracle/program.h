/*
 * A small random pthread program as a tree, shared by the parts of the generator.
 *
 * Shared state of every program: x[] (cells of 8 bytes, also accessed as int, short and char), m[] mutexes, c[]
 * condition variables, s[] semaphores, rw[] read-write locks, spin, barrier, a robust mutex, box (a pointer handed over),
 * block (one heap block of main's),
 * slot (a pointer that is handed over without care), a pipe.  Words of x are futexes too.  A thread folds
 * everything it sees into its result, r[thread]; r and x are what `heddle check --observe` looks at.
 */
#ifndef ORACLE_PROGRAM_H
#define ORACLE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define MAX_THREADS 5 /* main included */
#define MAX_NODES   128
#define N_MUTEXES   4 /* 0, 1: normal; 2: recursive; 3: error checking */
#define N_SEMS      2
#define N_RWLOCKS   2 /* 0: no preference; 1: of writers */
#define BARRIER     2 /* threads that it takes */
#define MAX_SWAPS   8
#define N_HANDLERS  2

enum kind {
        K_READ, K_WRITE, K_INC, K_COPY, K_MEMCPY,              /* plain accesses */
        K_LOAD, K_STORE, K_ADD, K_XCHG, K_CAS,                 /* atomics */
        K_IF, K_LOCK, K_CROSS, K_TRYLOCK,                      /* with bodies, as are K_CAS, K_TRYWAIT, K_CHOOSE_IF */
        K_WAIT_LOOP, K_WAIT_NAKED, K_SIGNAL, K_BROADCAST,
        K_SEM_WAIT, K_SEM_TRYWAIT, K_SEM_POST, K_SEM_VALUE,
        K_PUT, K_TAKE, K_PEEK, K_REUSE, K_SWAP,                /* heap */
        K_CHOOSE, K_CHOOSE_IF, K_ASSUME, K_ASSERT, K_ABORT_IF, K_DEREF,
        K_ATOMIC, K_ONCE, K_YIELD, K_FENCE, K_SPIN, K_EXIT,
        K_SPAWN, K_JOIN, K_DETACH,
        K_FUTEX_WAIT, K_FUTEX_WAKE, K_PIPE_WRITE, K_PIPE_READ, K_CANCEL, K_TESTCANCEL,
        K_TIMEDLOCK, K_TIMEDWAIT, K_SEM_TIMEDWAIT,             /* deadlines; with bodies, as are the next */
        K_RDLOCK, K_WRLOCK, K_TRYRDLOCK, K_TRYWRLOCK, K_TIMEDRDLOCK, K_TIMEDWRLOCK, K_SPINLOCK, K_SPINTRY,
        K_BARRIER,
        K_DETACH_SELF, K_ROBUST, K_POLL, K_REQUEUE,
        K_MALLOC,                                              /* may fail, with --fail-malloc */
        K_RWUNLOCK,                                            /* alone: one too many */
        K_ATEXIT, K_QUIT, K_KEY,                               /* what runs at exit, exit, what runs when the thread ends */
        K_COUNT
};

/* Where an access goes: `size` bytes at index `index` of cell `cell`. */
struct place {
        uint8_t cell, size, index;
};

struct node {
        enum kind kind;
        int id;              /* number within the program, for dropping */
        struct place at, from;
        int obj, obj2;       /* mutex, condition variable, semaphore or thread */
        int value, value2; /* of a join: 1, it is tried first; 2, with a deadline */
        struct node *body, *alt, *next;
};

struct thread {
        struct node *first;
        bool used;
};

struct program {
        struct node nodes[MAX_NODES];
        int n_nodes;
        struct thread threads[MAX_THREADS]; /* 0 is main; SPAWN and JOIN nodes say who creates whom */
        int sem[N_SEMS];                    /* initial values */
        int init[2];                        /* initial values of the first two cells */
        int n_swaps;
        bool uses_sem, uses_block, uses_pipe, uses_barrier, uses_robust;
        bool detaches;                      /* some thread detaches itself: joins may be too late */
        struct node *handler[N_HANDLERS];   /* of exit, in the order in which they are drawn, not registered */
        struct node *destructor;            /* of the value that a thread has of the key */
        int n_handlers;
        bool uses_key, quits;               /* quits: a thread, and one only, calls exit */
        int status_value;                   /* main returns x[0] == this; -1: always 0 */
};

enum mix {
        MIX_ALL,
        MIX_CANCEL,   /* threads are cancelled, most of them while they wait */
        MIX_SECTIONS, /* atomic sections, most of them with choices */
        MIX_EXITS,    /* handlers of exit, exit from any thread, thread-specific destructors */
        MIX_BLOCKS,   /* all that threads wait for, with accesses between: what blocks are made of (--preempt sync) */
};

/* The mix of this name; MIX_ALL if there is none. */
enum mix program_mix(const char *name);
extern const char *const program_mixes[];

/* Number `index` of the programs of `seed`, with at most about `limit` interleavings. */
void program_generate(struct program *p, uint64_t seed, int index, double limit, enum mix mix);

struct estimate {
        double interleavings; /* of the longest path through all branches */
        bool blocks;          /* some operation other than a join can find itself disabled */
        bool deadlocks;       /* ... and all of them together, as far as mutexes and semaphores tell */
};

void program_estimate(const struct program *p, struct estimate *e);

/* Is thread t created, with the operations in `drop` omitted? */
bool program_creates(const struct program *p, int t, const bool drop[MAX_NODES]);

enum fail { FAIL_DEADLOCK, FAIL_LIVELOCK, FAIL_ASSERTION, FAIL_ABORT, FAIL_CRASH, FAIL_STATUS, FAIL_MISUSE, FAIL_USED, FAIL_FREED, FAIL_LEAK,
            FAIL_COUNT };

struct observed {
        int64_t r[MAX_THREADS], x[3];
};

#define MAX_OBSERVED 4096

/* All that a program may do, as `heddle check --observe r,x` should report it. */
struct behaviour {
        bool known;  /* false: the program does what the model does not know, or too much */
        bool blocks; /* some operation other than a join finds itself disabled in some state */
        bool fails[FAIL_COUNT];
        bool stuck[1 << MAX_THREADS]; /* deadlocks without a cycle: the sets of threads that wait, as bits */
        uint64_t lost, kept; /* bits of K_SWAP nodes: whose block some end loses, and some does not */
        struct observed seen[MAX_OBSERVED];
        int n;
};

void program_model(const struct program *p, int index, const bool drop[MAX_NODES], struct behaviour *b);

/* The C text of program `index`; drop[id] leaves a node out (its body stays). */
void program_emit(FILE *out, const struct program *p, int index, const bool drop[MAX_NODES]);
void program_emit_head(FILE *out);

#endif
