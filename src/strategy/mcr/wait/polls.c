/* See polls.h. */
#include "strategy/mcr/wait/polls.h"

#include "op/op.h"

/* The first entry of the transition that led to this node. */
static const struct node *begun(const struct tries *t, uint32_t at)
{
        const struct node *n = &t->nodes.at[t->nodes.at[at].parent];

        while (n->parent && !(n->flags & NODE_POINT))
                n = &t->nodes.at[n->parent];
        return n;
}

bool polls_again(const struct tries *t, uint32_t at, struct node *is)
{
        const struct node *look = begun(t, at);

        if (look->op != OP_CHANNEL_POLL)
                return false;
        *is = (struct node){.kind = NODE_ORDERED,
                            .op = OP_CHANNEL_POLL,
                            .obj = look->obj,
                            .site = look->site,
                            .cell = look->cell,
                            .value = 1,
                            .flags = NODE_POINT | NODE_AWAITED};
        return true;
}

bool polls_enabled(const struct tries *t, const uint64_t *now, const struct node *n, uint32_t thread)
{
        uint32_t cell = waiters_cell(t, thread);

        return n->op != OP_CHANNEL_POLL || !n->value || (cell && now[cell] == WAITERS_LEFT);
}

static bool uses(uint32_t op)
{
        switch (op) {
        case OP_CHANNEL_READ:
        case OP_CHANNEL_WRITE:
        case OP_CHANNEL_TRY:
        case OP_CHANNEL_CLOSE:
        case OP_CHANNEL_WATCH:
        case OP_SIGNAL_SEND: return true;
        default: return false;
        }
}

/* Has the last look of the thread at this node looked at the channel, or at all of them? */
static bool watches(const struct tries *t, uint32_t at, uint32_t channel)
{
        const struct node *n;

        do {
                at = t->nodes.at[at].parent;
                n = &t->nodes.at[at];
                if (n->op == OP_CHANNEL_POLL && (n->cell == channel || n->obj == WIRE_OBJ_EPOLLS))
                        return true;
        } while (at && !(n->flags & NODE_POINT));
        return false;
}

void polls_do(const struct tries *t, const uint64_t *now, const struct node *n, uint32_t thread, waiters_set *set,
              void *arg)
{
        if (n->op == OP_CHANNEL_POLL && n->value)
                set(arg, waiters_cell(t, thread), 0);
        for (uint32_t i = 0; uses(n->op) && i < t->threads.n; i++) {
                uint32_t at = t->threads.at[i] ? (uint32_t)now[t->threads.at[i]] : 0;
                const struct node *other = &t->nodes.at[at];
                if (at && i != thread && other->op == OP_CHANNEL_POLL && other->value && watches(t, at, n->cell))
                        set(arg, waiters_cell(t, i), WAITERS_LEFT);
        }
}
