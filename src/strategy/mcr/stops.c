/* See stops.h. */
#include "strategy/mcr/stops.h"

#include "op/op.h"
#include "strategy/mcr/objects.h"
#include "strategy/mcr/users.h"
#include "strategy/mcr/wait/polls.h"
#include "strategy/mcr/wait/queues.h"
#include "strategy/mcr/wait/waiters.h"
#include "strategy/mcr/wait/waits.h"

/* A thread waits for others: what it does when it is woken.  One that waits for an object that no other thread uses has left
 * no entry. */
static bool waiting(struct learner *l, struct tries *t, uint32_t at, const struct wire_thread *w, struct node *is)
{
        const struct node *here = &t->nodes.at[at], *n = &t->nodes.at[here->parent];
        bool cond = w->op == OP_COND_WAIT && waiters_before(t, at);
        bool barrier = w->op == OP_BARRIER_WAIT && n->op == OP_BARRIER_WAIT && n->obj == w->obj;
        bool futex = w->op == OP_FUTEX_RETURN && n->op == OP_FUTEX_WAIT;

        is->kind = NODE_WAIT;
        is->cell = n->cell;
        if (cond) {
                bool queues = waiters_ordered(t, OP_MUTEX_UNLOCK);
                is->op = queues ? OP_MUTEX_REQUEUE : OP_MUTEX_RELOCK;
                is->kind = queues ? NODE_WAIT : NODE_OBJECT;
                is->obj = n->obj;
        } else if (barrier) {
                is->op = OP_BARRIER_LEAVE;
                is->obj = n->obj;
        } else if (futex) {
                is->cell = is->root = n->root;
        } else if (!queues_turn(t, here)) {
                *is = (struct node){.kind = NODE_STOP};
                return true;
        }
        if (cond || barrier || futex ? waiters_over(t, l->now.at, here->thread)
                                     : queues_enabled(l->now.at, is, here->thread))
                return learner_unmodelled(l, op_name(w->op));
        return true;
}

/* A thread is at an operation that has not been performed. */
bool stops_pending(struct learner *l, struct tries *t, uint32_t thread, const struct wire_thread *w, struct node *is)
{
        if (w->op == OP_JOIN && w->obj - WIRE_OBJ_THREAD(0) < 8 * (uint64_t)(l->at.n - 1)) {
                is->kind = NODE_JOIN;
                is->cell = tries_thread(t, (uint32_t)((w->obj - WIRE_OBJ_THREAD(0)) / 8));
        } else if (w->op == OP_EXIT) {
                is->kind = NODE_EXIT;
        } else if (w->state != WIRE_T_BLOCKED) { /* the execution was cut before it */
                *is = (struct node){.kind = NODE_UNKNOWN};
        } else if (waits_known(w->op) || queues_turn(t, &t->nodes.at[l->at.at[thread]])) {
                return waiting(l, t, l->at.at[thread], w, is);
        } else if (w->op == OP_CHANNEL_POLL) {
                if (!polls_again(t, l->at.at[thread], is))
                        return learner_unmodelled(l, op_name(w->op));
                waiters_make(t, thread);
                learner_grow(l, t);
        } else if (w->op >= OP_USER) {
                if (!users_node(t, w->obj, w->value, is))
                        return learner_unmodelled(l, op_name(w->op));
                learner_grow(l, t);
                if (users_enabled(l->now.at, is, thread))
                        return learner_unmodelled(l, op_name(w->op));
        } else if (ordered_known(w->op) && op_blocks(w->op)) {
                is->kind = NODE_ORDERED;
                is->cell = ordered_cell(t, w->obj);
                learner_grow(l, t);
                ordered_learn(t, is->cell, l->now.at[is->cell], 0, ordered_awaits(w->op));
        } else if (object_known(w->op) && op_may_wait(w->op)) {
                /* one that no operation has shown is held, or empty, from the beginning */
                uint64_t held = w->holder == WIRE_NO_ACTOR ? 0 : w->holder + 1u;
                is->kind = NODE_OBJECT;
                is->cell = tries_cell_make(t, CELL_OBJECT, w->obj, held);
                learner_grow(l, t);
                if (op_enabled(w->op, l->now.at[is->cell], thread))
                        return learner_unmodelled(l, op_name(w->op));
        } else {
                return learner_unmodelled(l, op_name(w->op));
        }
        return true;
}
