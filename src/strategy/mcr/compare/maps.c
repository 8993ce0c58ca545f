/* See maps.h.  An event is a node with the node that its operation has led to; its time is a variable of the solver. */
#include "strategy/mcr/compare/maps.h"

#include "base/deadline.h"
#include "base/fault.h"
#include "base/hash.h"
#include "op/mutex.h"
#include "op/op.h"
#include "strategy/mcr/objects.h"

struct map_event {
        uint32_t node, child, thread;
        smt_term time;
};

struct map_thread {
        uint32_t thread, root, leaf;
        uint32_t first, n; /* its events */
};

struct maps {
        const struct tries *t;
        const struct seen *run;
        struct smt *smt;
        uint64_t asked, limit;
        VEC(uint32_t) leaves;           /* ends of all threads */
        VEC(struct map_thread) threads; /* of the combination under way */
        VEC(struct map_event) events;
        VEC(smt_term) terms, either;
};

static struct hash128 hash_leaf(uint32_t thread, uint64_t leaf)
{
        uint64_t a = hash_draw(leaf ^ hash_draw(thread + 1));

        return (struct hash128){a, hash_draw(a ^ leaf * HASH_GOLDEN)};
}

/* The first join of a history, or its end. */
static uint32_t cut(const struct tries *t, uint32_t leaf)
{
        for (uint32_t k = leaf; k; k = t->nodes.at[k].parent)
                if (t->nodes.at[k].kind == NODE_JOIN)
                        leaf = k;
        return leaf;
}

/* May other threads notice what comes next?  Some are not joined yet. */
static bool is_noticed(const struct tries *t, uint32_t i)
{
        enum node_kind kind = t->nodes.at[i].kind;
        uint32_t joins = 0;

        if (kind != NODE_WRITE && kind != NODE_UPDATE && kind != NODE_OBJECT && kind != NODE_CREATE)
                return false;
        while ((i = t->nodes.at[i].parent) != 0)
                joins += t->nodes.at[i].kind == NODE_JOIN;
        return joins && joins + 1 < t->threads.n;
}

static void hash_thread(const struct tries *t, const uint64_t *now, uint32_t thread, struct hash128 *all)
{
        uint32_t leaf = t->threads.at[thread] ? cut(t, (uint32_t)now[t->threads.at[thread]]) : 0;
        struct hash128 h = hash_leaf(thread, leaf);

        all->a ^= h.a;
        all->b ^= h.b;
        for (uint32_t k = t->nodes.at[leaf].parent; leaf && k; k = t->nodes.at[k].parent)
                if (t->nodes.at[k].kind == NODE_CREATE)
                        hash_thread(t, now, (uint32_t)t->cells.at[t->nodes.at[k].cell].key, all);
}

struct hash128 maps_hash(const struct tries *t, const uint64_t *now)
{
        struct hash128 all = {0, 0};

        hash_thread(t, now, 0, &all);
        return all;
}

static const struct node *node_at(const struct maps *m, uint32_t at)
{
        return &m->t->nodes.at[at];
}

static const struct node *of(const struct maps *m, const struct map_event *e)
{
        return node_at(m, e->node);
}

static void assert_before(struct maps *m, smt_term a, smt_term b)
{
        smt_assert(m->smt, smt_before(m->smt, a, b));
}

static void add(struct maps *m, smt_term term)
{
        vec_need(&m->terms, 1);
        *vec_push(&m->terms) = term;
}

static void add_either(struct maps *m, smt_term term)
{
        vec_need(&m->either, 1);
        *vec_push(&m->either) = term;
}

static bool reads(const struct node *n)
{
        return n->kind == NODE_READ || n->kind == NODE_UPDATE;
}

/* What it has written; false: nothing. */
static bool writes(const struct maps *m, const struct map_event *e, uint64_t *value)
{
        const struct node *n = of(m, e);

        *value = n->kind == NODE_WRITE ? n->value : node_at(m, e->child)->wrote;
        return n->kind == NODE_WRITE || (n->kind == NODE_UPDATE && (node_at(m, e->child)->flags & NODE_WROTE));
}

static bool mutex_modelled(const struct maps *m, const struct map_event *e)
{
        const struct node *n = of(m, e);
        uint64_t result = node_at(m, e->child)->result;

        if (OP_MUTEX_TYPE(m->t->cells.at[n->cell].init) || OP_MUTEX_OWNER(m->t->cells.at[n->cell].init))
                return false;
        return ((n->op == OP_MUTEX_LOCK || n->op == OP_MUTEX_UNLOCK) && result == OBJECT_DONE) ||
               (n->op == OP_MUTEX_TRYLOCK && (result == OBJECT_DONE || result == OBJECT_REFUSED));
}

/* Is it one that the solver can be asked about? */
static bool modelled(const struct maps *m, const struct map_event *e)
{
        const struct node *n = of(m, e);

        if (n->flags & (NODE_GUESS | NODE_BUFFERED | NODE_FORCED | NODE_IGNORED))
                return false;
        switch ((enum node_kind)n->kind) {
        case NODE_LOCAL: return n->op != OP_ATOMIC_BEGIN;
        case NODE_CREATE:
        case NODE_CHOOSE:
        case NODE_EXIT: return true;
        case NODE_READ:
        case NODE_WRITE:
        case NODE_UPDATE: return ((n->flags & NODE_POINT) || n->op == OP_OBSERVE) && !m->t->cells.at[n->cell].block;
        case NODE_OBJECT: return (n->flags & NODE_POINT) && mutex_modelled(m, e);
        default: return false;
        }
}

/* Do the masks of accesses to one cell permit to take each for a variable? */
static bool separate(const struct maps *m, const struct map_event *e)
{
        const struct node *a = of(m, e);

        for (uint32_t i = 0; i < m->events.n; i++) {
                const struct node *b = of(m, &m->events.at[i]);
                if (m->t->cells.at[b->cell].kind == CELL_MEMORY && a->cell == b->cell && (a->mask & b->mask) &&
                    a->mask != b->mask)
                        return false;
        }
        return true;
}

static bool same_place(const struct maps *m, const struct map_event *a, const struct map_event *b)
{
        return a != b && of(m, a)->cell == of(m, b)->cell && of(m, a)->mask == of(m, b)->mask;
}

/* The read comes after this write (NULL: none), and no other write is in between. */
static smt_term reads_from(struct maps *m, const struct map_event *r, const struct map_event *w)
{
        uint64_t value;

        m->terms.n = 0;
        if (w)
                add(m, smt_before(m->smt, w->time, r->time));
        for (uint32_t i = 0; i < m->events.n; i++) {
                const struct map_event *o = &m->events.at[i];
                smt_term out[2];
                if (o == w || !same_place(m, o, r) || !writes(m, o, &value))
                        continue;
                out[0] = smt_before(m->smt, r->time, o->time);
                out[1] = w ? smt_before(m->smt, o->time, w->time) : out[0];
                add(m, smt_or(m->smt, 2, out));
        }
        return smt_and(m->smt, m->terms.n, m->terms.at);
}

/* It returns its value. */
static void assert_read(struct maps *m, const struct map_event *r)
{
        uint64_t wanted = node_at(m, r->child)->result, value;
        const struct node *n = of(m, r);

        m->either.n = 0;
        if ((m->t->cells.at[n->cell].init & n->mask) == wanted)
                add_either(m, reads_from(m, r, NULL));
        for (uint32_t i = 0; i < m->events.n; i++) {
                const struct map_event *w = &m->events.at[i];
                if (same_place(m, w, r) && writes(m, w, &value) && value == wanted)
                        add_either(m, reads_from(m, r, w));
        }
        smt_assert(m->smt, smt_or(m->smt, m->either.n, m->either.at));
}

static bool takes(const struct maps *m, const struct map_event *e)
{
        const struct node *n = of(m, e);

        return n->kind == NODE_OBJECT && n->op != OP_MUTEX_UNLOCK && node_at(m, e->child)->result == OBJECT_DONE;
}

/* The unlock of a lock; NULL: the thread ends with it. */
static const struct map_event *unlock_of(const struct maps *m, const struct map_event *l)
{
        for (const struct map_event *e = l + 1; e < m->events.at + m->events.n && e->thread == l->thread; e++)
                if (of(m, e)->kind == NODE_OBJECT && of(m, e)->op == OP_MUTEX_UNLOCK &&
                    of(m, e)->cell == of(m, l)->cell)
                        return e;
        return NULL;
}

/* Sections of one mutex exclude each other. */
static void assert_lock(struct maps *m, const struct map_event *l)
{
        const struct map_event *u = unlock_of(m, l);

        for (uint32_t i = 0; i < m->events.n; i++) {
                const struct map_event *o = &m->events.at[i], *v = takes(m, o) ? unlock_of(m, o) : NULL;
                if (!takes(m, o) || o->thread == l->thread || of(m, o)->cell != of(m, l)->cell)
                        continue;
                m->either.n = 0;
                if (u)
                        add_either(m, smt_before(m->smt, u->time, o->time));
                if (v)
                        add_either(m, smt_before(m->smt, v->time, l->time));
                smt_assert(m->smt, smt_or(m->smt, m->either.n, m->either.at));
        }
}

/* A try fails inside a section of another thread, or of its own. */
static void assert_refused(struct maps *m, const struct map_event *r)
{
        m->either.n = 0;
        for (uint32_t i = 0; i < m->events.n; i++) {
                const struct map_event *l = &m->events.at[i], *u;
                smt_term in[2];
                if (!takes(m, l) || of(m, l)->cell != of(m, r)->cell)
                        continue;
                u = unlock_of(m, l);
                in[0] = smt_before(m->smt, l->time, r->time);
                in[1] = u ? smt_before(m->smt, r->time, u->time) : in[0];
                add_either(m, smt_and(m->smt, 2, in));
        }
        smt_assert(m->smt, smt_or(m->smt, m->either.n, m->either.at));
}

static const struct map_thread *thread_at(const struct maps *m, uint32_t thread)
{
        for (uint32_t i = 0; i < m->threads.n; i++)
                if (m->threads.at[i].thread == thread)
                        return &m->threads.at[i];
        return NULL;
}

static void assert_event(struct maps *m, const struct map_event *e)
{
        const struct node *n = of(m, e);
        const struct map_thread *peer = n->kind == NODE_CREATE || n->kind == NODE_JOIN
                                                ? thread_at(m, (uint32_t)m->t->cells.at[n->cell].key)
                                                : NULL;

        if (e > m->events.at && e[-1].thread == e->thread)
                assert_before(m, e[-1].time, e->time);
        if (peer && peer->n)
                assert_before(m, e->time, m->events.at[peer->first].time);
        if (reads(n))
                assert_read(m, e);
        else if (takes(m, e))
                assert_lock(m, e);
        else if (n->kind == NODE_OBJECT && n->op == OP_MUTEX_TRYLOCK)
                assert_refused(m, e);
        for (uint32_t i = 0; n->kind == NODE_EXIT && i < m->events.n; i++)
                if (m->events.at[i].thread != e->thread)
                        assert_before(m, m->events.at[i].time, e->time);
}

/* The events of all threads, in the order of their histories; false: not all are modelled. */
static bool gather(struct maps *m)
{
        m->events.n = 0;
        for (uint32_t i = 0; i < m->threads.n; i++) {
                struct map_thread *h = &m->threads.at[i];
                h->first = m->events.n;
                h->n = 0;
                for (uint32_t k = h->leaf; k != h->root; k = node_at(m, k)->parent)
                        h->n++;
                vec_need(&m->events, h->n);
                m->events.n += h->n;
                for (uint32_t k = h->leaf, at = m->events.n; k != h->root; k = node_at(m, k)->parent)
                        m->events.at[--at] = (struct map_event){node_at(m, k)->parent, k, h->thread, 0};
        }
        for (uint32_t i = 0; i < m->events.n; i++) {
                const struct map_event *e = &m->events.at[i];
                if (!modelled(m, e) || (m->t->cells.at[of(m, e)->cell].kind == CELL_MEMORY && !separate(m, e)))
                        return false;
        }
        return true;
}

static void ask(struct maps *m)
{
        struct hash128 all = {0, 0};
        enum smt_answer a;

        if (!gather(m))
                return;
        smt_reset(m->smt);
        for (uint32_t i = 0; i < m->events.n; i++)
                m->events.at[i].time = smt_time(m->smt);
        for (uint32_t i = 0; i < m->events.n; i++)
                assert_event(m, &m->events.at[i]);
        for (uint32_t i = 0; i < m->threads.n; i++) {
                struct hash128 h = hash_leaf(m->threads.at[i].thread, m->threads.at[i].leaf);
                all.a ^= h.a;
                all.b ^= h.b;
        }
        m->asked++;
        a = smt_check(m->smt);
        if (a != SMT_UNKNOWN && (a == SMT_POSSIBLE) != seen_has(m->run, all))
                fault_report("--mcr checked: the solver says that a combination of values is %s, the search says the "
                             "contrary",
                             a == SMT_POSSIBLE ? "possible" : "impossible");
}

static uint32_t root_of(const struct maps *m, uint32_t leaf)
{
        while (node_at(m, leaf)->parent)
                leaf = node_at(m, leaf)->parent;
        return leaf;
}

/* Threads that a history creates; false: one of them is created twice. */
static bool add_created(struct maps *m, uint32_t leaf)
{
        for (uint32_t k = leaf; k; k = node_at(m, k)->parent) {
                const struct node *n = node_at(m, node_at(m, k)->parent);
                if (!node_at(m, k)->parent || n->kind != NODE_CREATE)
                        continue;
                if (thread_at(m, (uint32_t)m->t->cells.at[n->cell].key))
                        return false;
                vec_need(&m->threads, 1);
                *vec_push(&m->threads) =
                        (struct map_thread){.thread = (uint32_t)m->t->cells.at[n->cell].key, .root = n->root};
        }
        return true;
}

/* Each history for thread i of the combination, and all that follow from it. */
static void combine(struct maps *m, uint32_t i)
{
        uint32_t n = m->threads.n;

        if (i == n) {
                ask(m);
                return;
        }
        for (uint32_t k = 0; k < m->leaves.n && m->asked < m->limit && !late_soon(); k++) {
                if (root_of(m, m->leaves.at[k]) != m->threads.at[i].root)
                        continue;
                m->threads.at[i].leaf = m->leaves.at[k];
                if (add_created(m, m->leaves.at[k]))
                        combine(m, i + 1);
                m->threads.n = n;
        }
}

/* The ends of all histories; false: some histories are taken for others, since loops are cut, or threads read what the rest of a
 * history writes. */
static bool find_leaves(struct maps *m)
{
        for (uint32_t i = TRIES_MAIN; i < m->t->nodes.n; i++) {
                const struct node *n = node_at(m, i);
                if (n->kind == NODE_CUT || late_soon() || is_noticed(m->t, i))
                        return false;
                if (n->kind != NODE_JOIN && n->kind != NODE_END &&
                    (n->kind != NODE_STOP || node_at(m, n->parent)->kind != NODE_EXIT))
                        continue;
                if (cut(m->t, i) != i)
                        continue;
                vec_need(&m->leaves, 1);
                *vec_push(&m->leaves) = i;
        }
        return true;
}

uint64_t maps_check(const struct tries *t, const struct seen *run, struct smt *smt, uint64_t limit)
{
        struct maps m = {.t = t, .run = run, .smt = smt, .limit = limit};

        vec_need(&m.threads, 1);
        *vec_push(&m.threads) = (struct map_thread){.thread = 0, .root = TRIES_MAIN};
        if (find_leaves(&m))
                combine(&m, 0);
        vec_fini(&m.leaves);
        vec_fini(&m.threads);
        vec_fini(&m.events);
        vec_fini(&m.terms);
        vec_fini(&m.either);
        return m.asked;
}
