/* See ordered.h. */
#include "strategy/mcr/ordered.h"

#include "base/hash.h"
#include "op/op.h"
#include "strategy/mcr/wait/polls.h"

bool ordered_known(uint32_t op)
{
        switch (op) {
        case OP_CHANNEL_READ:
        case OP_CHANNEL_WRITE:
        case OP_CHANNEL_TRY:
        case OP_CHANNEL_CLOSE:
        case OP_CHANNEL_POLL:
        case OP_CHANNEL_WATCH:
        case OP_SIGNAL_SEND:
        case OP_SIGNAL_TAKE:
        case OP_STATE_USE:
        case OP_STATE_ADD:
        case OP_STATE_CHANGE:
        case OP_CLAIM:
        case OP_DETACH: return true;
        default: return false;
        }
}

static bool commutes(const struct node *n)
{
        return op_mode(n->op) == WIRE_MODE_COMMUTE;
}

uint32_t ordered_cell(struct tries *t, uint64_t obj)
{
        uint32_t cell = tries_cell_make(t, CELL_ORDERED, obj, 0);

        if (!t->cells.at[cell].states) {
                uint32_t states = tries_root(t, 0);
                t->cells.at[cell].states = states;
        }
        return cell;
}

void ordered_learn(struct tries *t, uint32_t cell, uint64_t now, uint64_t state, uint64_t known)
{
        uint32_t at = tries_child_make(t, t->cells.at[cell].states, now);
        struct node *n = &t->nodes.at[at];

        n->mask |= known;
        n->value = (n->value & ~known) | (state & known);
}

uint64_t ordered_awaits(uint32_t op)
{
        return op == OP_CHANNEL_READ ? OP_CHANNEL_READABLE : op == OP_CHANNEL_WRITE ? OP_CHANNEL_WRITABLE : 0;
}

bool ordered_decided(struct tries *t, const uint64_t *now, const struct node *n, uint32_t thread, bool *may)
{
        uint32_t known = ordered_awaits(n->op) ? tries_child(t, t->cells.at[n->cell].states, now[n->cell]) : 0;

        *may = !ordered_awaits(n->op) ? polls_enabled(t, now, n, thread)
                                      : known && op_enabled(n->op, t->nodes.at[known].value, thread);
        return !ordered_awaits(n->op) || (known && (t->nodes.at[known].mask & ordered_awaits(n->op)));
}

uint64_t ordered_result(const struct node *n, const uint64_t *now)
{
        return commutes(n) ? 0 : now[n->cell];
}

void ordered_do(struct ordered_open *o, const struct tries *t, const uint64_t *now, const struct node *n,
                uint32_t child, uint32_t thread, waiters_set *set, void *arg)
{
        bool first = (n->flags & NODE_POINT) || n->kind == NODE_JOIN;

        for (uint32_t i = 0; !first && thread == o->thread && i < o->cells.n; i++)
                set(arg, o->cells.at[i], child);
        if (first && thread == o->thread)
                o->cells.n = 0;
        polls_do(t, now, n, thread, set, arg);
        if (n->kind != NODE_ORDERED || !(t->nodes.at[child].flags & NODE_WROTE))
                return;
        set(arg, n->cell, commutes(n) ? now[n->cell] + hash_draw(child) : child);
        if (commutes(n))
                return;
        if (thread != o->thread)
                o->cells.n = 0;
        o->thread = thread;
        if (!vec_reserve(&o->cells, 1))
                memory_out();
        *vec_push(&o->cells) = n->cell;
}
