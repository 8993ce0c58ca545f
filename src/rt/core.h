/*
 * The core of the runtime: threads, objects, the execution under way, and the operations on them.
 *
 * All state that an execution changes stands in `ex`, in `threads` and in `objects`; snapshot.c saves and restores the
 * used part of each.  Everything else in the runtime is set up once.
 */
#ifndef HEDDLE_RT_CORE_H
#define HEDDLE_RT_CORE_H

#include "op/footprint.h"
#include "rt/rt.h"

/* Where the runtime keeps its own memory; the heap's arenas and the stacks lie here too.  No snapshot looks here. */
#define RT_REGION_LO UINT64_C(0x100000000000)
#define RT_REGION_HI UINT64_C(0x500000000000)
#define RT_OWN       UINT64_C(0x300000000000)
#define RT_WIRE_DOWN UINT64_C(0x400000000000)
#define RT_WIRE_UP   UINT64_C(0x410000000000)

#define RT_MAX_OBJECTS 65534u
#define RT_MAX_CALLS   16384u /* depth of a shadow call stack that is recorded */
#define RT_MAX_KEYS    1024u

/* An object that threads synchronise on.  Its index stands in the shadow of its address. */
struct object {
        uint64_t addr;         /* 0: gone */
        uint64_t state;        /* op.h says what it means */
        uint64_t vtime;        /* of the last operation, for the virtual clocks */
        uint64_t vtime_shared; /* ... of those that commute: readers, arrivals at a barrier */
        uint16_t kind;         /* enum op_object */
        uint8_t policy;        /* enum wire_wakeup */
        uint8_t pad;
        uint16_t by; /* who did `did` to it, + 1; 0: nobody */
        uint8_t did; /* the last operation that a misuse may be the other half of, ... */
        uint8_t pad3;
        uint64_t site;    /* ... and where */
        uint16_t sibling; /* index + 1 of another in the same 8 bytes, 0: none */
        uint16_t pad2;
        uint32_t ticket; /* under a policy: given to the last that came to wait */
};

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

struct spin; /* spin.c */

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

#define RT_MAX_READS      8
#define RT_NO_DEADLINE    0
#define RT_INNER_PATIENCE 128u   /* operations that are no points, before the thread is looked at for a loop */
#define RT_PATIENCE       20000u /* hook calls without a visible operation, before others are let go first */
/* Marks in shadow memory: the owner in bits 0-15, the number of the execution in bits 16-47.  Owners that are none: */
#define RT_SHARED     0x8000u /* touched by several threads, logged; in all executions.  Bits 16-31: see invariants.c */
#define RT_NEW_SHARED 0x7ffeu /* found to be shared in this execution, logged from the next one on */
#define RT_SLOW       0x4000u /* with an owner: no touch of the granule is fast (memcheck.c) */
/* Of states, beside an owner: it only used it, or only added to it. */
#define RT_READERS    0x2000u
#define RT_ADDERS     0x1000u
#define RT_SEVERAL    0x0fffu          /* ... and so did others: there is no owner */
#define RT_MARK_NONE  UINT64_C(0xffff) /* matches no mark */
#define RT_MARK_BITS  48
#define RT_MARK(word) ((word) & ((UINT64_C(1) << RT_MARK_BITS) - 1))

/* The execution under way. */
struct execution {
        uint32_t n_threads;
        uint32_t n_objects;
        uint32_t n_events, n_transitions;
        uint32_t segment, choice_next; /* with WIRE_SEGMENTS */
        uint32_t hint;                 /* the next one to follow */
        uint32_t choice;               /* answer of the decision being followed, or WIRE_NO_CHOICE */
        uint32_t n_new_shared;
        uint32_t n_failures;
        uint32_t n_sleep; /* actors asleep */
        bool sleep_armed; /* the sleep set holds now */
        bool exited;
        bool quick; /* ... by _exit or its kin */
        int exit_status;
        uint64_t watch_site;   /* of the last write to memory of invariants since then, 0: none */
        uint32_t watch_dirty;  /* invariants whose memory was written since they were evaluated */
        uint32_t watch_broken; /* those that did not hold */
        uint32_t n_named;      /* named semaphores */
        uint32_t n_atexit;     /* handlers that the program registered in this execution */
        bool handlers_done;    /* exit has run them all: none can be registered any more */
        uint64_t rng;
        char *strtok_next; /* where strtok continues */
};

struct rt {
        bool target;    /* started by heddle check */
        bool live;      /* the snapshot is taken: operations are events */
        bool segments;  /* this run follows segments */
        bool stuck;     /* deadlines pass when nobody else can go on */
        uint32_t flags; /* of the run */
        uint32_t preempt;
        uint32_t memory; /* enum wire_memory */
        uint32_t n_prefix, n_hints;
        const struct wire_decision *prefix;
        const struct wire_down *down;
        struct wire_up *up;
        void *controller_sp;
        uint32_t end; /* enum wire_end */
        uint32_t n_shared_applied;
        uint32_t n_marks; /* functions that options or attributes mark */
        uint64_t poison;  /* what unused stacks are filled with, 0: they stay as they are */
};

#pragma GCC visibility push(hidden)

extern struct rt rt;
extern struct execution ex;
extern struct thread threads[WIRE_MAX_THREADS];
extern struct object objects[RT_MAX_OBJECTS];

/* arch: switches fibers: saves the callee-saved registers and the stack pointer in *from, loads those at `to` and the
 * thread pointer. */
void fiber_switch(void **from, void *to, void *fs);
/* arch: prepares a stack so that a switch to it calls entry(). */
void *fiber_prepare(void *stack_top, void (*entry)(void));
void *fiber_thread_pointer(void);
void fiber_init(void);
/* arch: from now on a switch hands over to the kernel thread with that thread pointer (pool_hand_over). */
void fiber_use_kernel_threads(void);
/* arch: continues at a saved stack pointer; does not return. */
_Noreturn void fiber_continue(void *sp);

/* arch: from now on the instructions that the explorer found (wire_locked) come to the runtime. */
void locked_init(void);
/* arch: has such an instruction raised SIGILL?  Then the handler returns to where it is performed. */
bool locked_trap(void *context);
/* arch: of the instruction at pc, if it is one of the program that was moved out of their way: where it belongs. */
uintptr_t locked_origin(uintptr_t pc);

/* pool.c */
void pool_init(uint32_t n);
uint32_t pool_size(void);
/* With kernel threads: lets the one with thread pointer fs go on at `sp`, waits until somebody hands over to this one, and
 * answers with the stack pointer to go on at. */
void *pool_hand_over(void *fs, void *sp);
/* The thread pointer of the thread in this slot, which is its handle too. */
void *pool_handle(uint32_t slot);
/* Gives the thread in its slot a pristine stack and TLS; entry() will run first. */
void pool_prepare(struct thread *t, void (*entry)(void));
void pool_main_stack(uintptr_t lo, uintptr_t hi);
bool pool_stack_of(uint32_t slot, uintptr_t *lo, uintptr_t *hi);
/* Below `top` nothing of this stack is in use: empties it, or fills it with what differs in each execution (HEDDLE_POISON). */
void pool_unused(char *lo, char *top);
/* A thread that does not run: where the frames of the program begin in its stack, and where what the runtime has below them
 * ends.  Between the two nothing is in use. */
uintptr_t thread_frames(const struct thread *t, uintptr_t *own_end);
/* Whose stack is this? */
bool pool_stack_at(uintptr_t addr, uint32_t *slot);
/* Calls f for the memory that is local to the thread of a slot; for none of main's, which is data like any other. */
void pool_each_local(uint32_t slot, void (*f)(const void *lo, const void *hi));

/* shadow.c: one word per 8 bytes of memory: a mark in the lower 48 bits, object index + 1 above. */
uint64_t *shadow_at(uintptr_t addr); /* never NULL */
void shadow_init(void);
extern uint64_t **shadow_dir;
#define SHADOW_BITS 20
static inline uint64_t *shadow_peek(uintptr_t addr)
{
        uint64_t *leaf = shadow_dir[(addr >> SHADOW_BITS) & ((1u << 27) - 1)];
        return leaf ? &leaf[(addr & ((1u << SHADOW_BITS) - 1)) >> 3] : NULL;
}
/* Does this range hold memory that several threads touch?  Takes ownership of what nobody has touched in this execution,
 * or only threads whose end this one has waited for. */
bool shadow_touch(struct thread *t, uintptr_t addr, size_t size);
/* Likewise for a state (effect.h), which threads share only if they use it in modes that conflict. */
bool shadow_use(struct thread *t, uintptr_t addr, uint32_t mode);
/* From now on every touch is looked at, by the owner too, until shadow_touch() makes it the toucher's again. */
void shadow_slow(uintptr_t addr, size_t size);
void shadow_apply_shared(void);
/* This memory is shared, whoever has touched it: what is known only now is logged from the next execution on. */
void shadow_share(uintptr_t addr);
bool shadow_is_shared(uintptr_t addr); /* known, since now or before */
/* Invariants (a bit each) that have ever read this granule. */
uint32_t shadow_watchers(uintptr_t granule);
/* The invariant of this bit reads the granule; false: that was not known. */
bool shadow_watched(uintptr_t granule, uint64_t bit);
/* The mark of memory that t owns in this execution. */
uint64_t shadow_mark(const struct thread *t);
/* Another execution begins: nobody owns anything. */
void shadow_new_execution(void);

/* object.c */
/* The policy that the program wants for the object at addr, whatever it is or will be. */
void object_set_policy(const void *addr, uint32_t policy);
struct object *object_get(const void *addr, uint32_t kind);
void object_forget(uintptr_t addr, size_t size);
/* Mutexes, condition variables and read-write locks: has the memory been overwritten since we knew it, as by a static
 * initialiser?  Then it is a new object. */
#define RT_OBJECT_MARK 0x68646c65u
#define RT_OBJECT_GONE 0x68646c66u /* destroyed, and not overwritten since */
struct object *object_renew(struct object *o);
void object_mark(const struct object *o);
void object_destroy(struct thread *t, struct object *o, uint32_t op);

/* sched.c */
enum arrival {
        ARRIVE_PRIVATE,  /* no other thread can tell: no entry */
        ARRIVE_EVENT,    /* begins a transition */
        ARRIVE_FORCED,   /* likewise, but inside an atomic section: only for the sake of its choice */
        ARRIVE_INNER,    /* an entry of the transition under way */
        ARRIVE_BUFFERED, /* a store that goes to the thread's buffer: weak_store(), not op_log() */
};

/* The running thread is at an operation; returns when it may perform it.  The answer goes to op_log(). */
enum arrival op_arrive(struct thread *t, uint32_t op, uint64_t obj, uint32_t size, struct object *o, uintptr_t site);
/* Writes the entry (after the outcome is known, before the effect is visible to others); never NULL. */
struct wire_event *op_log(struct thread *t, enum arrival how, uint32_t mode, uint64_t value);
/* Both, for an operation on an object whose mode is known beforehand; the state is that of its turn. */
enum arrival op_perform(struct thread *t, uint32_t op, struct object *o, uint32_t mode, uintptr_t site);
/* access.c: the entries of a load, and of a plain store.  Call them before the access is made. */
struct wire_event *access_read(struct thread *t, enum arrival how, uintptr_t addr, uint32_t size, uint64_t value);
struct wire_event *access_write(struct thread *t, enum arrival how, uint32_t op, uintptr_t addr, uint32_t size);
/* atomic.c: an atomic load, store or update (OP_LOAD, OP_STORE, OP_RMW) of the running thread that the caller is about to make,
 * before anything else can happen. */
void atomic_announce(uint32_t op, uintptr_t addr, uint32_t size, int mo);
/* One more entry of the same transition. */
struct wire_event *op_also(struct thread *t, enum arrival how, uint32_t op, uint64_t obj, uint32_t size, uint32_t mode,
                           uint64_t value);
/* The answer of the schedule to a question with the answers 0 to count - 1; in the tail 0, or what chance says. */
uint32_t op_choice(uint32_t count);
/* The same for answers that are a list: `after` gives the one after an answer, 0: there is none. */
uint32_t op_choice_of(uint32_t first, uint32_t (*after)(const void *arg, uint32_t choice), const void *arg);
/* The running thread leaves for good with this state; does not return. */
_Noreturn void sched_leave(struct thread *t, uint32_t state);
/* The running thread lets `n` run up to its first visible operation. */
void sched_eager(struct thread *t, struct thread *n);
bool sched_enabled(const struct thread *t);

/* Has it used up its --thread-depth? */
bool sched_used_up(const struct thread *t);
/* The mark of memory on which hooks of t need not be looked at in this run, if any. */
uint64_t sched_fast_mark(const struct thread *t);
_Noreturn void exec_end(uint32_t end);
_Noreturn void exec_end_text(uint32_t end, uint32_t step, const char *text);
/* The same for a hook that has counted itself already. */
enum arrival op_arrive_counted(struct thread *t, uint32_t op, uint64_t obj, uint32_t size, struct object *o,
                               uintptr_t site);
void sched_init_run(void); /* resets what belongs to one run, after snapshot_restore() */

/* Are accesses of t to this memory no events: in a section or function that is not looked at, or to what is ignored? */
bool op_unheard(const struct thread *t, uint32_t op, uint64_t obj, uint32_t size);

/* snapshot.c, controller.c */
void snapshot_ensure(void); /* takes the snapshot if none is taken yet; afterwards executions begin here */
/* unlisted.c: from now on calls of libc that are not known are named; once, before the first thread starts. */
void unlisted_init(void);
void controller_start(void);
void controller_forward(int sig); /* to the child that executes, in fork mode */
_Noreturn void controller_fault(
        const char *text); /* outside of all threads: the explorer gets this as the last answer */
void snapshot_take(void *main_sp);
void snapshot_restore(void);
/* Calls f for all writable data of the program and its libraries, stacks and heap left out.  `same`: it is as it was
 * when the snapshot was taken, but for the pages that snapshot_each_page() tells. */
void snapshot_each_data(void (*f)(const void *lo, const void *hi, bool same));
void snapshot_each_page(void (*f)(const void *lo, const void *hi));
/* A write to a protected page?  Then it may go on. */
bool snapshot_fault(uintptr_t addr);
/* Data of libc, ld.so and the compilers' libraries. */
bool rt_is_system(uintptr_t addr);
/* Does it lie in a segment that no program writes: constants and code? */
bool rt_is_constant(uintptr_t addr, size_t size);
/* Is it in the program itself, or in a library that comes with it (one of the first 16)? */
bool rt_is_program(uintptr_t addr);

/* exit.c, signal.c */
/* A failure of this thread, which goes on or not as the caller decides. */
void rt_record(struct thread *t, enum wire_failure_kind kind, uintptr_t site, const char *text);
void exit_observe(struct thread *t);
void signal_init(void);
void signal_thread_init(void); /* the same for a further kernel thread: a stack for handlers */
void thread_main_init(void);
void thread_run_dtors(struct thread *t);
void exit_init(void);
_Noreturn void exit_from_main(int status, uintptr_t site);

/* exit(), called from `site`. */
_Noreturn void exit_at(int status, uintptr_t site);
bool rt_site_in_rt(uintptr_t pc);
void rt_own_range(uintptr_t *lo, uintptr_t *hi); /* the runtime's text and data, whole pages */

/* util.c */
void rt_copy(void *to, const void *from, size_t n);
void rt_zero(void *p, size_t n);
void rt_text(char *to, size_t size, const char *from);
int rt_format(char *to, size_t size, const char *format, ...); /* %s %u %x %p (64-bit) only */
void *rt_map(size_t size);                                     /* zeroed, unreserved */

#pragma GCC visibility pop

#endif
