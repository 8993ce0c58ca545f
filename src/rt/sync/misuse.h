/*
 * Locks used in ways that POSIX leaves undefined: failures of kind lock-misuse, with the place of the other half.
 *
 * What a call answers by contract (error-checking, recursive and robust mutexes) is not a misuse.
 */
#ifndef HEDDLE_RT_SYNC_MISUSE_H
#define HEDDLE_RT_SYNC_MISUSE_H

#include "rt/rt.h"
#include "rt/sched/arrival.h"
#include "rt/trace/log.h"
#include "rt/sync/object.h"

struct thread;

#pragma GCC visibility push(hidden)

/* The running thread's operation on the object, at its pending site, is a misuse; does not return. */
_Noreturn void misuse(struct thread *t, const struct object *o, const char *text);

/* The same where the other half is what another thread waits in. */
_Noreturn void misuse_with(struct thread *t, const struct object *o, const struct thread *other, const char *text);

/* The same of a thread's handle. */
_Noreturn void misuse_handle(struct thread *t, const struct thread *of, const char *text);

/* In its turn: the object must not have been destroyed.  With an entry that has been written, or ... */
static inline void misuse_gone(struct thread *t, const struct object *o)
{
        if (RT_UNLIKELY((o->state & OP_GONE) != 0))
                misuse(t, o, "used after it was destroyed");
}

/* ... with one that has not. */
static inline void misuse_gone_unsaid(struct thread *t, enum arrival how, const struct object *o)
{
        if (RT_LIKELY((o->state & OP_GONE) == 0))
                return;
        op_log(t, how, WIRE_MODE_READ, o->state);
        misuse_gone(t, o);
}

/* --hand-off: may another thread than its holder release this lock? */
bool misuse_hands_off(const struct object *o);

/* The thread ends: it must hold nothing. */
void misuse_thread_ends(struct thread *t);

#pragma GCC visibility pop

#endif
