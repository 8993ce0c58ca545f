/*
 * What mutexes, read-write locks, spinlocks, semaphores and the locks of streams have in common: a lock that is taken, given
 * back, or not had.
 */
#ifndef HEDDLE_RT_SYNC_HELD_H
#define HEDDLE_RT_SYNC_HELD_H

#include "rt/loops/spin.h"
#include "rt/sched/arrival.h"
#include "rt/sync/misuse.h"
#include "rt/sync/object.h"
#include "rt/threads.h"
#include "rt/trace/log.h"

/* The thread holds one lock more; its virtual clock is not behind that of the thread that released it. */
static inline void held_take(struct thread *t, const struct object *o)
{
        t->held.n_mutexes++;
        t->held.n_sync++;
        if (o->vtime > t->clock.vtime)
                t->clock.vtime = o->vtime;
}

/* t releases a lock that `holder` holds. */
static inline void held_give(struct thread *t, struct thread *holder)
{
        t->held.n_sync++;
        if (holder->held.n_mutexes)
                holder->held.n_mutexes--;
}

/* A try that fails has only read the lock, of `size` bytes.  Returns err. */
static inline int held_refuse(struct thread *t, enum arrival how, const struct object *o, uint32_t size, int err)
{
        op_log(t, how, WIRE_MODE_READ, o->state)->flags |= WIRE_EV_FAILED;
        if (how != ARRIVE_PRIVATE)
                spin_read(t, o->addr, size);
        return err;
}

/* The entry of its destruction is written. */
static inline void held_destroy(struct thread *t, struct object *o, bool held, uint32_t op)
{
        misuse_gone(t, o);
        if (held)
                misuse(t, o, "destroyed while it is held");
        object_destroy(t, o, op);
}

#endif
