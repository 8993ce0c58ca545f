/*
 * The threads of the program, and the store buffers that act like threads (weak.h).
 *
 * What an execution changes is in `ex` (rt.h), in `threads` and in `objects` (object.h); snapshot.c saves and restores the
 * used part of each.  Everything else in the runtime is set up once.
 */
#ifndef HEDDLE_RT_THREADS_H
#define HEDDLE_RT_THREADS_H

#include "rt/arch/x86_64/fiber.h"
#include "rt/arch/x86_64/locked_state.h"
#include "rt/memory/malloc_state.h"
#include "rt/rt.h"
#include "rt/trace/callstack_state.h"
#include "rt/sched/marks_state.h"
#include "rt/sched/path_state.h"
#include "rt/sched/sched_state.h"
#include "rt/sched/section_state.h"
#include "rt/loops/spin_state.h"
#include "rt/thread/cancel_state.h"
#include "rt/sync/futex_state.h"
#include "rt/sync/held_state.h"
#include "rt/thread/identity_state.h"
#include "rt/thread/join_state.h"
#include "rt/thread/thread_state.h"
#include "rt/sync/wait_state.h"
#include "rt/weak/weak_state.h"
#include "rt/world/clock_state.h"
#include "rt/world/mask_state.h"
#include "rt/io/poll_state.h"

struct object;

#define RT_MAX_CALLS      16384u /* depth of a shadow call stack that is recorded */
#define RT_NO_DEADLINE    0
#define RT_INNER_PATIENCE 128u /* operations that are not preemption points, before the thread is checked for a loop */
#define RT_PATIENCE       20000u /* hook calls without a visible operation, before the thread is checked for a loop */
#define RT_MAX_WINDOW     (RT_PATIENCE << 6)
#define RT_UNCHECKED      64u /* so much longer than it was checked at first a thread that does not spin runs unchecked */
#define RT_MAX_UNCHECKED  (UINT64_C(1) << 28)

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

/* A thread of the program.  The core is sched.c's; each part belongs to the files that its header names.  All of it is zero
 * when a thread begins (thread.c) and is valid from then on, except where a field says otherwise. */
struct thread {
        uint16_t id;               /* its slot */
        uint16_t tag;              /* id + 1: the owner in shadow memory */
        uint8_t state;             /* enum wire_thread_state; READY while it runs or could run */
        uint16_t n_children;       /* threads that it has created */
        uint16_t last_child;       /* ... the slot of the last one */
        int64_t left;              /* hook calls until turn.patience is lost, while it does not run (position.h) */
        uint64_t fast_mark;        /* a hook on memory with this mark returns at once; RT_MARK_NONE: never */
        struct wire_event *unsaid; /* the entry of a plain store whose value is not known yet, else NULL */
        struct pending pend;       /* what it is about to do, or has done last */
        struct turn_state turn;
        struct section_state section;
        struct sleep_state sleep;
        struct spin_state spin;
        struct weak_state weak;
        struct call_state stack;
        struct fiber_state fiber;
        struct clock_state clock;
        struct wait_state wait;
        struct cancel_state cancel;
        struct futex_state futex;
        struct poll_state poll;
        struct channel_state channel;
        struct held_state held;
        struct handle_state handle;
        struct body_state body;
        struct alloc_state alloc;
        struct mask_state signals;
        struct locked_state locked;
        struct identity_state identity;
        struct mark_state marks;
        struct path_state path;
};

#pragma GCC visibility push(hidden)

extern struct thread threads[WIRE_MAX_THREADS];

/* The running thread's number (slot), 0 if no thread runs. */
uint32_t rt_self(void);

#pragma GCC visibility pop

/* Is this actor a store buffer?  The thread whose stores it has. */
static inline bool thread_is_buffer(const struct thread *t)
{
        return t->state == WIRE_T_BUFFER;
}

static inline uint32_t thread_owner(const struct thread *t)
{
        return thread_is_buffer(t) ? t->pend.peer : t->id;
}

#endif
