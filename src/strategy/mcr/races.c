/* See races.h. */
#include "strategy/mcr/races.h"

#include "base/hash.h"
#include "op/op.h"

static bool writes(const struct node *n)
{
        return n->kind == NODE_WRITE || n->kind == NODE_UPDATE || n->kind == NODE_FREE;
}

static bool accesses(const struct node *n)
{
        return n->kind == NODE_READ || n->op == OP_FUTEX_WAIT || writes(n);
}

bool races_are(const struct tries *t, const struct node *a, const struct node *b)
{
        if (!accesses(a) || !accesses(b) || !(writes(a) || writes(b)) || !((a->flags | b->flags) & NODE_PLAIN))
                return false;
        if (a->kind == NODE_FREE || b->kind == NODE_FREE)
                return (a->kind == NODE_FREE ? a->cell : t->cells.at[a->cell].block) ==
                       (b->kind == NODE_FREE ? b->cell : t->cells.at[b->cell].block);
        return a->cell == b->cell && (a->mask & b->mask);
}

/* An access: its node, and the one that it leads to; 0: with this value no execution has shown it. */
struct side {
        uint32_t at, child;
        uint64_t value;
};

/* The access that led to a node. */
static struct side performed(const struct tries *t, uint32_t child)
{
        return (struct side){.at = t->nodes.at[child].parent, .child = child};
}

static const struct node *node_of(const struct machine *m, struct side a)
{
        return &m->tries.nodes.at[a.at];
}

/* Does the access write?  Some updates do or not, by what they have read, which are two accesses to a race. */
static bool side_writes(const struct machine *m, struct side a)
{
        const struct node *n = node_of(m, a);

        return writes(n) && (n->kind != NODE_UPDATE || n->op == OP_RMW || !a.child ||
                             (m->tries.nodes.at[a.child].flags & NODE_WROTE));
}

static uint64_t side_hash(const struct machine *m, struct side a)
{
        const struct node *n = node_of(m, a);
        bool unknown = n->kind == NODE_UPDATE && n->op != OP_RMW && !a.child;

        return hash_mix(hash_mix(hash_draw(n->site), (uint64_t)n->op << 1 | side_writes(m, a)),
                        unknown ? hash_draw(a.value) : 0);
}

/* Are the two a data race, in an order that has not been run? */
static bool is_new_race(struct races *r, const struct machine *m, struct side one, struct side two)
{
        struct hash128 key;
        uint64_t first, second;

        if (!races_are(&m->tries, node_of(m, one), node_of(m, two)) || !(side_writes(m, one) || side_writes(m, two)))
                return false;
        first = side_hash(m, one);
        second = side_hash(m, two);
        key = (struct hash128){hash_mix(first, second), hash_mix(hash_draw(second), first)};
        if (seen_has(&r->seen, key))
                return false;
        r->found = key;
        return true;
}

/* The next operation of a thread in this state, right after another access, if there is one. */
static struct side next_after(struct machine *m, uint32_t thread, const struct node *before)
{
        uint32_t at = machine_node(m, thread);
        const struct node *n = &m->tries.nodes.at[at];
        uint64_t value;

        if (n->kind != NODE_UPDATE || (n->flags & NODE_IGNORED))
                return (struct side){.at = at};
        value = m->now.at[n->cell];
        if (before && before->kind == NODE_WRITE && before->cell == n->cell)
                value = (value & ~before->mask) | before->value;
        value = (value & n->mask) ^ machine_liveness(m, n->cell);
        return (struct side){at, tries_child(&m->tries, at, value), value};
}

bool races_next(struct races *r, struct machine *m)
{

        for (uint32_t i = 0; i < m->tries.threads.n; i++) {
                const struct node *a = &m->tries.nodes.at[machine_node(m, i)];
                for (uint32_t j = 0; accesses(a) && j < m->tries.threads.n; j++) {
                        const struct node *b = &m->tries.nodes.at[machine_node(m, j)];
                        if (i == j || !races_are(&m->tries, a, b) ||
                            !is_new_race(r, m, next_after(m, i, NULL), next_after(m, j, a)))
                                continue;
                        machine_plan(m, i);
                        machine_plan(m, j);
                        return true;
                }
        }
        return false;
}

/* The operations that a thread has performed since its last point, that one included, and since it last created a thread, from
 * the last: it begins with at: the thread's node. */
struct recent {
        struct side access;
        bool last;
};

static bool recent(const struct tries *t, struct recent *x)
{
        const struct node *n;

        if (x->last || !x->access.at)
                return false;
        x->access = performed(t, x->access.at);
        n = &t->nodes.at[x->access.at];
        x->last = n->flags & NODE_POINT;
        return x->access.at && n->kind != NODE_CREATE;
}

/* Is it a store that has not reached memory?  It takes part in a race when it does. */
static bool is_delayed(const struct machine *m, const struct node *n)
{
        return (n->flags & NODE_BUFFERED) && n->number > m->now.at[n->buffer];
}

/* It reaches memory, after those that come before it. */
static void bring(struct machine *m, const struct node *n)
{
        const struct tries *t = &m->tries;

        while (is_delayed(m, n)) {
                uint32_t buffer = n->buffer;
                for (uint32_t i = 0; i < t->buffers.n && !machine_may_flush(m, buffer); i++)
                        buffer = t->cells.at[t->buffers.at[i]].size == n->thread ? t->buffers.at[i] : buffer;
                if (!machine_may_flush(m, buffer))
                        return;
                machine_flush(m, buffer);
        }
}

/* A data race between an access that was performed and one of a thread's step from here, in an order that has not been run: the
 * path shows it. */
static bool plan_race(struct races *r, struct machine *m, struct side one, struct side two, uint32_t thread,
                      uint32_t choice)
{
        const struct node *a = node_of(m, one), *b = node_of(m, two);
        bool forward = is_new_race(r, m, one, two);

        if (!forward && (!is_delayed(m, a) || !is_new_race(r, m, two, one)))
                return false;
        if (forward)
                bring(m, a);
        if (machine_step(m, thread, choice) == MACHINE_UNSEEN)
                return true;
        bring(m, forward ? a : b);
        bring(m, forward ? b : a);
        return true;
}

/* The same, of two stores that are delayed. */
static bool plan_stores(struct races *r, struct machine *m, struct side one, struct side two)
{
        const struct node *a = node_of(m, one), *b = node_of(m, two);

        if (!is_delayed(m, a) || !is_delayed(m, b) || !is_new_race(r, m, one, two))
                return false;
        bring(m, a);
        bring(m, b);
        return true;
}

bool races_recent(struct races *r, struct machine *m, const uint32_t *ends, uint32_t n, bool chain)
{
        const struct tries *t = &m->tries;

        for (uint32_t i = 0; i < n; i++) {
                for (struct recent a = {.access.at = machine_node(m, i)}; recent(t, &a);) {
                        for (uint32_t j = 0; accesses(node_of(m, a.access)) && j < n; j++) {
                                if (i == j)
                                        continue;
                                for (struct recent b = {.access.at = ends[j]}; recent(t, &b);)
                                        if (plan_race(r, m, a.access, b.access, j, 0))
                                                return true;
                                for (struct recent b = {.access.at = chain ? 0 : machine_node(m, j)}; recent(t, &b);)
                                        if (plan_stores(r, m, a.access, b.access))
                                                return true;
                        }
                }
        }
        return false;
}

bool races_unordered(struct races *r, struct machine *m, const struct races_step *f)
{
        const struct tries *t = &m->tries;

        for (uint32_t i = 0; i < m->performed.n; i++) {
                const struct machine_access *b = &m->performed.at[i];
                for (uint32_t u = 0; u < m->tries.threads.n; u++) {
                        uint32_t known = orders_known(&m->orders, b->clock, u);
                        struct side a = performed(t, u == b->thread ? 0 : machine_node(m, u)),
                                    late = {.at = b->node, .child = b->child};
                        for (; a.at && node_of(m, a)->accesses >= known; a = performed(t, a.at)) {
                                const struct node *n = node_of(m, a);
                                if (!orders_counts(t, n) || n->kind == NODE_FREE)
                                        continue;
                                if (is_new_race(r, m, a, late) || (is_delayed(m, n) && is_new_race(r, m, late, a))) {
                                        machine_undo(m, f->changes, f->path);
                                        return plan_race(r, m, a, late, f->thread, f->choice);
                                }
                        }
                }
        }
        return false;
}

bool races_begun(struct races *r, struct machine *m)
{

        for (uint32_t i = 0; i < m->performed.n; i++) {
                const struct machine_access *b = &m->performed.at[i];
                for (uint32_t k = 0; k < i; k++) {
                        const struct machine_access *a = &m->performed.at[k];
                        struct side one = {.at = a->node, .child = a->child}, two = {.at = b->node, .child = b->child};
                        if (a->thread != b->thread &&
                            node_of(m, one)->accesses >= orders_known(&m->orders, b->clock, a->thread) &&
                            (plan_stores(r, m, one, two) || plan_stores(r, m, two, one)))
                                return true;
                }
        }
        return false;
}
