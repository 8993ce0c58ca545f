/* See nodes.h. */
#include "strategy/mcr/nodes.h"

#include "op/op.h"
#include "strategy/mcr/buffers.h"

static bool same(const struct node *a, const struct node *b)
{
        bool awaited = (a->flags | b->flags) & NODE_AWAITED;
        bool value = (a->kind == NODE_WRITE && !((a->flags | b->flags) & NODE_GUESS)) || a->kind == NODE_CHOOSE ||
                     a->kind == NODE_USER;

        uint32_t differ = a->flags ^ b->flags;

        if (!awaited && ((differ & NODE_DRAINS) || a->rank != b->rank))
                return false;
        if ((differ & NODE_CANCELS) && !(awaited && a->op == OP_COND_TIMEOUT)) /* woken() does not know */
                return false;
        if (differ & NODE_IGNORED)
                return false;
        return a->kind == b->kind && a->op == b->op && a->obj == b->obj && a->cell == b->cell &&
               (a->kind == NODE_JOIN || !(differ & NODE_POINT)) && !(differ & NODE_BUFFERED) &&
               a->buffer == b->buffer && (!value || (a->value == b->value && a->mask == b->mask));
}

bool learner_node_is(struct learner *l, struct tries *t, uint32_t at, const struct node *is)
{
        struct node *n = &t->nodes.at[at];

        if (is->kind == NODE_CUT && n->kind != NODE_UNKNOWN)
                return true;
        if (n->kind == NODE_CUT)
                n->kind = NODE_UNKNOWN;
        if (n->kind != NODE_UNKNOWN) {
                if ((n->flags & NODE_AWAITED) && n->op == OP_MUTEX_RELOCK && n->op != is->op) {
                        /* the mutex is its own: to lock it again leaves no entry */
                        n->kind = NODE_UNKNOWN;
                        n->flags = 0;
                        return learner_node_is(l, t, at, is);
                }
                if ((is->flags & NODE_AWAITED) && is->op == OP_MUTEX_RELOCK && n->op != is->op)
                        return true;
                if (!same(n, is))
                        return learner_unmodelled(l, "a thread that does something else after the same values");
                if ((n->flags & NODE_GUESS) && !(is->flags & NODE_GUESS)) {
                        n->flags &= (uint16_t)~NODE_GUESS;
                        n->value = is->value;
                }
                if ((n->flags & NODE_AWAITED) && !(is->flags & NODE_AWAITED)) {
                        n->flags = (uint16_t)((n->flags & ~NODE_AWAITED) | (is->flags & (NODE_DRAINS | NODE_CANCELS)));
                        n->rank = is->rank;
                }
                return true;
        }
        n->kind = is->kind;
        n->op = is->op;
        n->flags |= is->flags;
        n->obj = is->obj;
        n->site = is->site;
        n->cell = is->cell;
        n->mask = is->mask;
        n->value = is->value;
        n->root = is->root;
        n->moved = is->moved;
        n->rank = is->rank;
        if (n->flags & NODE_BUFFERED)
                buffers_enter(t, at, is->buffer);
        return true;
}
