/*
 * The threads of the program, and the store buffers that act like threads (weak.h).
 *
 * What an execution changes is in `ex` (rt.h), in `threads` and in `objects` (object.h); snapshot.c saves and restores the
 * used part of each.  Everything else in the runtime is set up once.
 */
#ifndef HEDDLE_RT_THREADS_H
#define HEDDLE_RT_THREADS_H

#include "op/footprint.h"
#include "rt/rt.h"

struct object;

#define RT_MAX_CALLS      16384u /* depth of a shadow call stack that is recorded */
#define RT_MAX_READS      8
#define RT_NO_DEADLINE    0
#define RT_INNER_PATIENCE 128u /* operations that are not preemption points, before the thread is checked for a loop */
#define RT_PATIENCE       20000u /* hook calls without a visible operation, before others run first */

/* What a thread is about to do. */
struct pending {
        uint64_t obj;
        struct object *object; /* sync operations, else NULL */
        uintptr_t site;
        uint32_t size;
        uint8_t op;
        uint8_t mode;
        uint16_t peer; /* JOIN: the thread waited for */
        uint8_t role;  /* users' operations: enum op_role */
        uint64_t arg;
};

struct rt_call {         /* of a function that is under way */
        uintptr_t site;  /* returns here */
        uintptr_t frame; /* its frame pointer, if it has one */
        uintptr_t begun; /* where it was announced */
};

struct thread {
        uint16_t id;
        uint16_t tag;      /* id + 1: the owner in shadow memory */
        uint8_t state;     /* enum wire_thread_state; READY while it runs or could run */
        uint8_t asleep;    /* in the sleep set */
        uint32_t pos;      /* hook calls */
        uint32_t patience; /* the hook call at which it lets others go first if it has done nothing visible */
        uint32_t transitions;
        uint32_t spent;     /* --thread-depth: transitions that count */
        uint32_t last_turn; /* --fair: transitions of all up to its last one */
        uint64_t fast_mark; /* a hook on memory with this mark returns at once; RT_MARK_NONE: never */
        struct pending pend;
        void *sp;          /* of the fiber while it does not run */
        uintptr_t frames;  /* of what lies in its stack then, the program's begins here; 0: at sp (thread_frames) */
        uintptr_t exit_sp; /* where it called exit or returned from main: what lies above is the program's */
        void *fs;          /* thread pointer, also the pthread_t */
        uint64_t priority; /* of a random tail (tail.c); 0: not drawn */
        uint64_t vtime;
        uint32_t n_asked; /* questions for the time */
        uint32_t atomic_depth, ignore_depth;
        uint32_t n_denied; /* allocations that failed by decision: counted by thread, so that no other can tell */
        bool no_memory;    /* its next allocation fails: operator new must tell that there is none */
        bool in_section; /* what it does is atomic for the others although it is in no section of its own: libc locks */
        struct thread *eager_parent; /* it is being run up to its first visible operation; then go back here */
        struct object *cond;         /* waits on this condition variable */
        struct object *cond_mutex;   /* ... and has released this mutex */
        struct object *queued;       /* waits for this under a wakeup policy */
        uint64_t deadline;           /* of the operation that it waits in; RT_NO_DEADLINE: none */
        uint32_t ticket;             /* its place among those that wait */
        int32_t rank;                /* its scheduling priority */
        bool serial;                 /* the one of those at a barrier */
        bool let_go;                 /* its deadline has passed, since nobody else could go on */
        uint8_t signalled;
        bool timed;        /* waits in a queue, and may time out */
        uint64_t futex;    /* waits in the queue of this word, 0: in none */
        uint64_t futex_at; /* the queue that it was in last */
        uint32_t futex_bits;
        bool polling, polls_all; /* waits for a channel to be used: one of `polls`, or any */
        const void *polls;       /* struct pollfd */
        uint32_t n_polls;
        uint16_t n_channels; /* that it made */
        uint8_t closing_how; /* enum arrival, of a close under way */
        uintptr_t via;       /* the program's call, while a wrapper calls another for it */
        uintptr_t allocates; /* ... while libc or a wrapper allocates for it */
        uint8_t detached, joined;
        bool claimed;         /* somebody is about to join it */
        uint8_t handle_did;   /* what made its handle useless: an operation, ... */
        uint16_t handle_by;   /* ... by this thread, ... */
        uint64_t handle_site; /* ... here */
        bool c11;             /* its start function returns an int */
        bool cancel_off;      /* PTHREAD_CANCEL_DISABLE */
        bool cancel_async;
        bool cancelled;       /* somebody asked for its end */
        bool cancel_waited;   /* ... while it had to wait in a cancellation point */
        bool at_point;        /* its pending operation is a cancellation point */
        bool interrupted;     /* ... at which it will end */
        bool own_sched;       /* it has a priority or processors of its own (identity.c) */
        bool ending;          /* it has returned, called pthread_exit, or is cancelled */
        struct thread *joins; /* waits for the end of this thread */
        bool also_shared;     /* the operation it arrives at touches another object too, and others touch that */
        bool visible;         /* with segments: it waits at an operation that others can tell */
        bool solo;            /* has been at private memory for long: spin.c watches that too */
        uint16_t joined_by;   /* valid if joined */
        uint16_t n_children;
        uint32_t n_calls;
        struct rt_call *calls;                         /* shadow call stack */
        uint32_t trust_depth, lock_depth, quiet_depth; /* marked functions on it (marks.c) */
        bool sealed;                                   /* it is not to be preempted here, but where it waits */
        bool seal_begins;                              /* ... and has performed no operation since that is so */
        uint64_t rules_on;                             /* rules that match it, a bit each ... */
        uint64_t rules_mine;                           /* ... of these that hold for the thread */
        uint16_t rule_depth[WIRE_MAX_RULES];
        uint32_t n_inner; /* entries that were no points since it last did something else than yield */
        void *(*start)(void *);
        void *arg, *retval;
        void *dtors;       /* C++ thread_local destructors, a list */
        void *cleanup;     /* cleanup handlers of pthread_cleanup_push in C: the innermost (cancel.c) */
        uint32_t buffered; /* stores in its buffer; of a buffer: that it is to flush (weak.c) */
        int order;         /* memory order of the atomic store or fence that it is at; kept under weak memory only */
        bool open;         /* ... whose values are not known yet */
        bool undrained;    /* it has stored since the last operation that waited for its buffer */
        bool drains;       /* its pending operation waits until its buffer is empty */
        struct wire_event *begun;         /* of the transition that the store it is at has begun, else NULL */
        struct wire_event *unsaid;        /* WIRE_DETAIL: a plain store whose value is not known yet */
        uint32_t sleep_first;             /* footprint while asleep */
        struct footprint_rows sleep_rows; /* ... from there */
        uintptr_t wait_site;              /* of its last wait on a condition variable */
        struct object *reads[8];          /* read-write locks that it holds for reading, one for each time */
        uint32_t n_reads;                 /* more than there is room for: not known */
        uint64_t sigmask;                 /* its signal mask, while the kernel thread that all share has another's */
        uint64_t sigpending;              /* signals to itself that it blocks */
        size_t stack_size;                /* as its attributes said; 0: they did not */
        size_t guard_size;                /* ... or as threads have it by default */
        uint32_t n_held;                  /* mutexes */
        uint32_t n_sync;                  /* how often it took or released one */
        uint32_t n_locked;                /* hook calls that were instructions of inline assembly, ... */
        uint32_t locked_run;              /* ... those since the last one that was not, which ... */
        uint32_t locked_after;            /* ... was the so-manieth of these others */
        char name[32];
};

#pragma GCC visibility push(hidden)

extern struct thread threads[WIRE_MAX_THREADS];

/* The running thread's number (slot), 0 if no thread runs. */
uint32_t rt_self(void);

#pragma GCC visibility pop

#endif
