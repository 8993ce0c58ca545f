/*
 * Those that wait for an object under a wakeup policy, and which of them is next (OP_NEXT in the object's state).
 *
 * Without a policy there is no queue: any of those that wait may be next, and no thread can tell when one began to wait.
 */
#ifndef HEDDLE_RT_SYNC_QUEUE_H
#define HEDDLE_RT_SYNC_QUEUE_H

#include <stdbool.h>

#include "rt/sync/object.h"
#include "wire/wire.h"

struct thread;

#pragma GCC visibility push(hidden)

void queue_join(struct thread *t, struct object *o);
void queue_leave(struct thread *t, struct object *o);

/* Of two that wait, does `a` go first?  a and b wait for o since their tickets. */
bool queue_before(const struct object *o, const struct thread *a, const struct thread *b);

/* Does the policy order those that wait? */
static inline bool queue_orders(const struct object *o)
{
        return o->policy == WIRE_WAKEUP_FIFO || o->policy == WIRE_WAKEUP_LIFO || o->policy == WIRE_WAKEUP_PRIORITY;
}

#pragma GCC visibility pop

#endif
