/*
 * Locks held: a list of (thread, lock) pairs, short at any moment.  What an operation does to it follows from the
 * operation, whether it failed, and for a lock taken again from the state that was recorded with it.  Semaphores are not
 * locks: a thread that posts need not have waited.
 */
#include "trace/locks_held.h"

#include <string.h>

#include "op/op.h"

enum effect { NOTHING, TAKES, RELEASES };

static enum effect effect_of(const struct wire_event *e)
{
        switch (op_order(e->op)) {
        case OP_TAKES:
        case OP_TAKES_SHARED: return op_took(e) ? TAKES : NOTHING;
        case OP_GIVES: return e->flags & WIRE_EV_FAILED ? NOTHING : RELEASES;
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
