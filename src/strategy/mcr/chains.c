/* See chains.h. */
#include "strategy/mcr/chains.h"

#include "op/op.h"
#include "strategy/mcr/buffers.h"

/* Of more delayed stores, all belong to each chain. */
#define MOST_STORES 48u

struct chain {
        const struct node *stores[MOST_STORES]; /* that have not reached memory, of each thread from the last one */
        bool has[MOST_STORES];
        uint32_t n;
};

/* Does every flush belong to the chain?  Not for steps whose bytes are known; of what is observed other bytes follow. */
static bool takes_all(const struct node *n)
{
        if (n->op == OP_OBSERVE)
                return true;
        switch ((enum node_kind)n->kind) {
        case NODE_READ:
        case NODE_WRITE:
        case NODE_UPDATE:
        case NODE_OBJECT:
        case NODE_CREATE:
        case NODE_JOIN:
        case NODE_TRY:
        case NODE_CHOOSE:
        case NODE_LOCAL: return n->flags & NODE_AWAITED;
        default: return true;
        }
}

static bool overlap(const struct node *a, const struct node *b)
{
        return a->cell == b->cell && (a->mask & b->mask);
}

/* Does the step of this node wait for the store, or touch its bytes?  A thread sees its own stores at once. */
static bool meets(const struct machine *m, const struct node *n, const struct node *store)
{
        bool own = store->thread == n->thread;

        if (own && (n->flags & NODE_DRAINS))
                return true;
        switch ((enum node_kind)n->kind) {
        case NODE_JOIN:
        case NODE_TRY: return m->tries.cells.at[n->cell].key == store->thread;
        case NODE_READ: return !own && overlap(n, store);
        case NODE_WRITE: return !(n->flags & NODE_BUFFERED) && overlap(n, store);
        case NODE_UPDATE: return overlap(n, store);
        case NODE_OBJECT: return !(n->flags & NODE_BUFFERED) && n->cell == store->cell;
        default: return false;
        }
}

/* Must the store reach memory before, or not after, another one? */
static bool tied(const struct node *store, const struct node *other)
{
        if (store->thread != other->thread)
                return overlap(store, other);
        return store->serial < other->serial &&
               (store->buffer == other->buffer || overlap(store, other) || store->serial + 1 < other->behind);
}

/* The delayed stores of all threads; false: they are too many. */
static bool gather(const struct machine *m, struct chain *c)
{
        const struct tries *t = &m->tries;

        c->n = 0;
        for (uint32_t i = 0; i < t->threads.n; i++) {
                uint32_t at = machine_node(m, i), left = buffers_pending(t, m->now.at, at);
                for (uint32_t s = t->nodes.at[at].last_store; left && s; s = t->nodes.at[s].last_store) {
                        const struct node *n = &t->nodes.at[s];
                        if (n->number <= m->now.at[n->buffer])
                                continue;
                        if (c->n == MOST_STORES)
                                return false;
                        c->stores[c->n++] = n;
                        left--;
                }
        }
        return true;
}

/* Which of them belong to the chain: those that the step meets, and those that are tied to one of these. */
static void find(const struct machine *m, const struct node *n, struct chain *c)
{
        bool grows = true;

        for (uint32_t i = 0; i < c->n; i++)
                c->has[i] = meets(m, n, c->stores[i]);
        while (grows) {
                grows = false;
                for (uint32_t i = 0; i < c->n; i++)
                        for (uint32_t k = 0; k < c->n && !c->has[i]; k++)
                                if (c->has[k] && tied(c->stores[i], c->stores[k]))
                                        c->has[i] = grows = true;
        }
}

static bool has(const struct chain *c, const struct node *store)
{
        for (uint32_t i = 0; i < c->n; i++)
                if (c->stores[i] == store)
                        return c->has[i];
        return false;
}

/* The store that a buffer flushes next, if it may; 0: none. */
static uint32_t ready(const struct machine *m, uint32_t buffer)
{
        uint32_t owner = machine_node(m, (uint32_t)m->tries.cells.at[buffer].size);

        return buffers_next(&m->tries, m->now.at, owner, buffer, true);
}

/* Does the step wait for the store? */
static bool awaits(const struct machine *m, const struct node *n, const struct node *store)
{
        return (store->thread == n->thread && (n->flags & NODE_DRAINS)) ||
               (n->kind == NODE_JOIN && m->tries.cells.at[n->cell].key == store->thread);
}

static bool is_alone(const struct chain *c, const struct node *store)
{
        for (uint32_t i = 0; i < c->n; i++)
                if (c->stores[i]->thread != store->thread && overlap(c->stores[i], store))
                        return false;
        return true;
}

uint32_t chains_first(const struct machine *m, uint32_t thread)
{
        const struct tries *t = &m->tries;
        const struct node *n = thread == CHAINS_END ? NULL : &t->nodes.at[machine_node(m, thread)];
        struct chain c;

        if ((n && n->kind != NODE_JOIN && !(n->flags & NODE_DRAINS)) || !gather(m, &c) || !c.n)
                return t->buffers.n;
        for (uint32_t i = 0; i < t->buffers.n; i++) {
                uint32_t store = ready(m, t->buffers.at[i]);
                if (store && (!n || awaits(m, n, &t->nodes.at[store])) && is_alone(&c, &t->nodes.at[store]))
                        return i;
        }
        return t->buffers.n;
}

uint32_t chains_next(const struct machine *m, uint32_t thread, uint32_t from)
{
        const struct tries *t = &m->tries;
        const struct node *n = &t->nodes.at[machine_node(m, thread)];
        struct chain c;
        bool all = takes_all(n) || !gather(m, &c);

        if (!all && !c.n)
                return t->buffers.n;
        if (!all)
                find(m, n, &c);
        for (; from < t->buffers.n; from++) {
                uint32_t store = ready(m, t->buffers.at[from]);
                if (store && (all || has(&c, &t->nodes.at[store])))
                        return from;
        }
        return from;
}

/* Does the step wait for a spinlock whose release is delayed? */
static bool awaits_release(const struct machine *m, const struct node *n, uint32_t thread)
{
        struct chain c;

        if (n->op != OP_SPIN_LOCK)
                return false;
        if (!gather(m, &c))
                return true;
        for (uint32_t i = 0; i < c.n; i++)
                if (c.stores[i]->kind == NODE_OBJECT && c.stores[i]->cell == n->cell)
                        return op_enabled(n->op, 0, thread);
        return false;
}

bool chains_may_end(struct machine *m, uint32_t thread)
{
        const struct node *n = &m->tries.nodes.at[machine_node(m, thread)];

        if (awaits_release(m, n, thread))
                return true;
        return n->kind == NODE_JOIN ? m->tries.nodes.at[m->now.at[n->cell]].kind == NODE_END
                                    : machine_enabled_drained(m, thread);
}

struct chain_result chains_result(struct machine *m, uint32_t thread)
{
        uint32_t at = machine_node(m, thread);
        const struct node *n = &m->tries.nodes.at[at];
        bool writes = n->kind == NODE_UPDATE || (n->kind == NODE_WRITE && !(n->flags & NODE_BUFFERED));

        if (takes_all(n) || writes || n->kind == NODE_TRY || !machine_enabled(m, thread))
                return (struct chain_result){0, false};
        if (n->kind == NODE_OBJECT)
                return (struct chain_result){m->now.at[n->cell], true};
        if (n->kind != NODE_READ)
                return (struct chain_result){0, true};
        return (struct chain_result){(buffers_view(&m->tries, m->now.at, at, n->cell) & n->mask) ^
                                             (m->tries.orders ? orders_read(&m->tries, m->now.at, n) : 0),
                                     true};
}
