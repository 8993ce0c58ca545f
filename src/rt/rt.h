/*
 * The runtime inside the target: what its files share.
 *
 * Rules that keep it safe.  Everything of the program runs on one kernel thread; the threads of the program are fibers
 * on it, and a switch happens only in sched.c.  The runtime uses no malloc, no stdio, no thread-local variables and
 * never touches errno across a switch.  Its own state is outside the snapshot and is put back by exec_reset().
 * A wrapper has one shape: describe the operation, let the scheduler say when, apply the model, perform it.
 */
#ifndef HEDDLE_RT_RT_H
#define HEDDLE_RT_RT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "op/op.h"
#include "wire/wire.h"

#define RT_EXPORT      __attribute__((visibility("default")))
#define RT_LIKELY(x)   __builtin_expect(!!(x), 1)
#define RT_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define RT_SITE()      ((uintptr_t)__builtin_return_address(0))

/* A signal that was sent and is not accepted yet. */
struct signal_message {
        uint64_t value; /* of sigqueue */
        uint16_t owner; /* the thread, or SIGNAL_PROCESS (io/signal_object.h) */
        uint8_t sig;
        int8_t code;       /* si_code */
        bool limited;      /* --signals excludes that it arrives */
        uint16_t timer;    /* the timer that sends it at `at`, 0: it was sent */
        uint32_t sent;     /* its number among those that were sent to the thread */
        uint64_t at;       /* the virtual time */
        uint64_t interval; /* of a timer that runs again, else 0 */
};

#define EX_MESSAGES 16u

/* A timer of timer_create. */
struct signal_timer {
        bool there;
        uint8_t sig;
        uint64_t value;
        int clock;
};

/* A timer of timerfd_create. */
struct timer_fd {
        uint64_t channel; /* 0: it is free */
        uint64_t at;      /* the virtual time at which it ends, TIMER_FD_NEVER (io/timer_fd.h): it does not run */
        uint64_t interval;
        int clock;
        bool looked; /* a read that does not wait has found it running */
};

#define EX_TIMERS 8u

/* The execution under way. */
struct execution {
        uint32_t n_threads;
        uint32_t n_objects;
        uint32_t n_events, n_transitions;
        uint32_t n_parts;              /* entries that belong to the access before them (--depth counts them with it) */
        uint32_t segment, choice_next; /* with WIRE_SEGMENTS */
        uint32_t hint;                 /* the next one to follow */
        uint32_t choice;               /* answer of the decision being followed, or WIRE_NO_CHOICE */
        bool hinted;                   /* ... that is a hint: an answer that is not possible is ignored */
        uint32_t n_new_shared;
        uint32_t n_failures;
        uint32_t n_sleep; /* actors asleep */
        bool sleep_armed; /* the sleep set holds now */
        bool exited;
        bool left;                  /* ... and the thread that did has nothing more to do */
        const struct thread *alone; /* enabled.c: the thread that ran last ... */
        uint32_t alone_from;        /* ... since so many transitions */
        bool quick;                 /* ... by _exit or a similar function */
        int exit_status;
        uint64_t watch_site;   /* of the last write to memory of invariants since then, 0: none */
        uint32_t watch_dirty;  /* invariants whose memory was written since they were evaluated */
        uint32_t watch_broken; /* those that did not hold */
        uint32_t n_named;      /* named semaphores */
        uint32_t n_atexit;     /* handlers that the program registered in this execution */
        bool handlers_done;    /* exit has run them all: none can be registered any more */
        uint64_t rng;
        bool going_on; /* the execution is over, and continues only to see whether it can end (sched.c); it had so many */
        uint32_t over_events, over_transitions, over_failures;
        uint32_t n_signals; /* sent to handlers */
        uint32_t n_messages;
        struct signal_message messages[EX_MESSAGES]; /* in the order in which they were sent */
        struct signal_timer timers[EX_TIMERS];
        struct timer_fd timer_fds[EX_TIMERS];
        char *strtok_next; /* where strtok continues */
};

struct rt {
        bool target;          /* started by heddle check */
        bool live;            /* the snapshot is taken: operations are events */
        bool segments;        /* this run follows segments */
        bool files;           /* the files of the program are private (files/files.h) */
        bool foreign;         /* modules take part whose plain accesses are not watched (arch/x86_64/locked.c) */
        bool accepts_signals; /* the program calls sigwait or a relative of it */
        bool sends_signals;   /* ... or sends signals, or has timers */
        bool stuck;           /* deadlines pass when no other thread can continue */
        uint32_t flags;       /* of the run */
        uint32_t preempt;
        uint32_t n_prefix, n_hints, n_last, n_sleep; /* as in a message */
        const struct wire_decision *prefix;
        const struct wire_sleep *sleep;
        const struct wire_access *footprint;
        const struct wire_down *down;
        struct wire_up *up;
        void *controller_sp;
        uint32_t end; /* enum wire_end */
        uint32_t n_shared_applied;
        uint32_t n_marks; /* functions that options or attributes mark */
        uint64_t poison;  /* what unused stacks are filled with, 0: they stay as they are */
};

/* Everything below is reached without the GOT: wrappers run before the loader has relocated this object. */
#pragma GCC visibility push(hidden)

struct thread;

/* The running thread of the program; NULL outside `heddle check`, before the runtime is up, and while the runtime
 * itself works.  With NULL every wrapper does the plain thing: calls the real function. */
#ifdef HEDDLE_PLAIN /* plain/plain.c */
#define rt_cur ((struct thread *)NULL)
#else
extern struct thread *rt_cur;
#endif

static inline bool rt_on(void)
{
        return rt_cur != NULL;
}

extern struct rt rt;
extern struct execution ex;

/* The seed of all random numbers, 0 before the runtime is up. */
uint64_t rt_seed(void);

#pragma GCC visibility pop

#endif
