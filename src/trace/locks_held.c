/*
 * Locks held: a list of (thread, lock) pairs, short at any moment.  What an operation does to it follows from the
 * operation, whether it failed, and for a lock taken again from the state that was recorded with it.  Semaphores are no
 * locks: whoever posts need not have waited.
 */
#include "trace/locks_held.h"

#include <string.h>

#include "op/op.h"

enum effect { NOTHING, TAKES, RELEASES };

static enum effect effect_of(const struct wire_event *e)
{
        if (e->flags & WIRE_EV_FAILED)
                return NOTHING;
        switch (e->op) {
        case OP_MUTEX_LOCK:
        case OP_MUTEX_TRYLOCK:
        case OP_MUTEX_TIMEDLOCK:
        case OP_MUTEX_TURN:
        case OP_MUTEX_TIMEDTURN:
        case OP_MUTEX_RELOCK:
                return OP_MUTEX_TYPE(e->value) == OP_MUTEX_ERRORCHECK && OP_MUTEX_OWNER(e->value) == e->actor + 1u
                               ? NOTHING
                               : TAKES;
        case OP_SPIN_LOCK:
        case OP_SPIN_TRYLOCK:
        case OP_STREAM_LOCK:
        case OP_STREAM_TRYLOCK:
        case OP_RWLOCK_RDLOCK:
        case OP_RWLOCK_TRYRDLOCK:
        case OP_RWLOCK_TIMEDRDLOCK:
        case OP_RWLOCK_WRLOCK:
        case OP_RWLOCK_TRYWRLOCK:
        case OP_RWLOCK_TIMEDWRLOCK:
        case OP_RWLOCK_RDTURN:
        case OP_RWLOCK_WRTURN:
        case OP_RWLOCK_TIMEDTURN: return TAKES;
        case OP_MUTEX_UNLOCK:
        case OP_MUTEX_ABANDON:
        case OP_SPIN_UNLOCK:
        case OP_STREAM_UNLOCK:
        case OP_RWLOCK_UNLOCK: return RELEASES;
        default: return NOTHING;
        }
}

bool held_step(struct held *h, const struct wire_event *e, uint32_t i)
{
        enum effect effect = effect_of(e);
        uint32_t k = 0;

        if (effect == NOTHING)
                return true;
        while (k < h->locks.n && (h->locks.at[k].actor != e->actor || h->locks.at[k].obj != e->obj ||
                                  op_object(h->locks.at[k].op) != op_object(e->op)))
                k++;
        if (k < h->locks.n) {
                struct held_lock *l = &h->locks.at[k];
                l->depth += effect == TAKES ? 1 : UINT32_MAX;
                if (l->depth == 0)
                        memmove(l, l + 1, (--h->locks.n - k) * sizeof(*l));
        } else if (effect == TAKES) {
                if (!vec_reserve(&h->locks, 1))
                        return false;
                *vec_push(&h->locks) =
                        (struct held_lock){.obj = e->obj, .actor = e->actor, .op = e->op, .depth = 1, .entry = i};
        }
        return true;
}

void held_fini(struct held *h)
{
        vec_fini(&h->locks);
}
