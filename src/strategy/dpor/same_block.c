/*
 * See same_block.h.
 *
 * What a thread does from one preemption point to the next follows from what it has done before and from the values that it gets on the
 * way.  Both are the same without i, and without all that depends on i, if the transition touches no place that one of those has changed.
 * It may touch such a place by its first operation if that yields no value.
 */
#include "strategy/dpor/same_block.h"

#include "base/deadline.h"
#include "hb/footprint.h"
#include "op/mutex.h"
#include "op/op.h"

/* Does the thread continue in the same way, whatever the state of the object?  So it is after stores, and after locks, but for robust
 * mutexes. */
static bool yields_nothing(const struct wire_access *a)
{
        bool lock = op_order(a->op) == OP_TAKES || op_order(a->op) == OP_TAKES_SHARED || op_order(a->op) == OP_GIVES;

        if (a->op >= OP_USER || !op_has(a->op, OPF_SURE) || op_has(a->op, OPF_WOKEN | OPF_RELOCKS | OPF_CHOICES))
                return false;
        return op_has(a->op, OPF_BUFFERED) ||
               (lock && !(op_object(a->op) == OP_OBJ_MUTEX && a->value & OP_MUTEX_ROBUST));
}

/* Do the transitions touch the same place, and one of them changes it? */
static bool meet_at(const struct wire_access *a, const struct path *p, const struct path_node *n)
{
        for (uint32_t k = 0; k < n->n_acc; k++) {
                const struct wire_access *b = &p->accesses.at[n->acc + k];

                if (a->obj < b->obj + b->size && b->obj < a->obj + a->size &&
                    (a->mode != WIRE_MODE_READ || b->mode != WIRE_MODE_READ))
                        return true;
        }
        return false;
}

bool same_block(const struct optimal *o, uint32_t i, uint32_t j)
{
        const struct path *p = &o->path;
        const struct path_node *n = &p->nodes.at[j];
        const struct wire_access *a = &p->accesses.at[n->acc];
        uint32_t first = n->n_acc && a->op == n->op && yields_nothing(a);

        if (n->n_parts != 1 || n->other || n->more || n->n_acc > FOOTPRINT_FEW || p->causality.stores.n ||
            late_for(j - i))
                return false;
        for (uint32_t t = i; t < j; t++)
                for (uint32_t k = first; k < n->n_acc && (t == i || optimal_depends(o, i, t)); k++)
                        if (meet_at(&a[k], p, &p->nodes.at[t]))
                                return false;
        return true;
}
