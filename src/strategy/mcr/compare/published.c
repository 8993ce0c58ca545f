/* See published.h. */
#include "strategy/mcr/compare/published.h"

#include "base/deadline.h"
#include "op/op.h"

#define REST 256u /* steps of the first thread after a prefix: until it ends or waits */
#define ROOM(v, n)                          \
        do {                                \
                if (!vec_reserve((v), (n))) \
                        memory_out();       \
        } while (0)

void published_init(struct published *p, bool switches, bool loose, bool before)
{
        *p = (struct published){.switches = switches, .loose = loose, .before = before};
        ROOM(&p->open, 1);
        *vec_push(&p->open) = (struct prefix){.own = 0};
}

void published_fini(struct published *p)
{
        vec_fini(&p->open);
        vec_fini(&p->made);
        vec_fini(&p->steps);
        vec_fini(&p->skips);
        vec_fini(&p->order);
        vec_fini(&p->came_from);
        vec_fini(&p->chain);
        vec_fini(&p->values);
        vec_fini(&p->shown);
        vec_fini(&p->usual);
}

static void add_step(struct published *p, struct prefix_step s)
{
        ROOM(&p->steps, 1);
        *vec_push(&p->steps) = s;
}

/* From the beginning. */
static bool replay(struct published *p, struct machine *m, struct prefix_range r)
{
        machine_undo(m, 0, 0);
        if (m->tries.nodes.at[TRIES_MAIN].kind == NODE_UNKNOWN)
                return false;
        if (machine_begin(m) == MACHINE_UNSEEN)
                return false;
        for (uint32_t i = 0; i < r.n; i++)
                if (machine_step(m, p->steps.at[r.first + i].thread, 0) == MACHINE_UNSEEN)
                        return false;
        return true;
}

bool published_next(struct published *p, struct machine *m)
{
        struct prefix_range all;

        machine_grow(m);
        if (!p->open.n)
                return false;
        p->now = p->open.at[--p->open.n];
        all = p->now.steps;
        if (!all.n) {
                machine_undo(m, 0, 0);
                return true;
        }
        all.n--;
        if (!replay(p, m, all)) /* a read has another value than before: what follows is not known */
                while (m->path.n < all.n)
                        machine_plan(m, p->steps.at[all.first + m->path.n].thread);
        machine_plan(m, p->steps.at[all.first + all.n].thread);
        for (uint32_t t = 1; t < m->tries.threads.n; t++) { /* the rest runs thread by thread */
                if (!machine_enabled(m, t))
                        continue;
                for (uint32_t i = 0; i < REST; i++)
                        machine_plan(m, t);
                break;
        }
        return true;
}

/* The threads are where the execution has been. */
static bool is_shown(const struct published *p, const struct machine *m)
{
        for (uint32_t i = 0; i < m->tries.threads.n; i++)
                if (!p->shown.at[machine_node(m, i)])
                        return false;
        return true;
}

static uint64_t value_at(const struct machine *m, const struct node *read)
{
        return m->now.at[read->cell] & read->mask;
}

/* The path of the search to state i, performed from where it began. */
static void go_to(struct published *p, struct machine *m, uint32_t changes, uint32_t path, uint32_t i)
{
        uint32_t first = p->steps.n, n = 0;

        machine_undo(m, changes, path);
        for (uint32_t k = i; k; k = p->came_from.at[k] - 1, n++)
                add_step(p, p->order.at[k]);
        for (uint32_t k = n; k; k--)
                machine_step(m, p->steps.at[first + k - 1].thread, 0);
        p->steps.n = first;
}

static void expand(struct published *p, struct machine *m, struct seen *states, uint32_t i)
{
        uint32_t changes = m->changes.n, path = m->path.n;

        for (uint32_t t = 0; t < m->tries.threads.n; t++) {
                struct prefix_step s = {t, machine_node(m, t)};
                if (!machine_enabled(m, t))
                        continue;
                if (machine_step(m, t, 0) == MACHINE_DONE && is_shown(p, m) && seen_add(states, m->hash)) {
                        ROOM(&p->order, 1);
                        ROOM(&p->came_from, 1);
                        *vec_push(&p->order) = s;
                        *vec_push(&p->came_from) = i + 1;
                }
                machine_undo(m, changes, path);
        }
}

/* The shortest way to let the read return the value: the state of the search, which the machine is in; UINT32_MAX: there is
 * none. */
static uint32_t find_way(struct published *p, struct machine *m, uint32_t thread, uint32_t read, uint64_t value)
{
        uint32_t changes = m->changes.n, path = m->path.n, found = UINT32_MAX;
        struct seen states;

        m->usual = p->loose ? p->usual.at : NULL;
        m->keeps = p->before ? UINT32_MAX : thread;
        seen_init(&states, UINT64_MAX);
        p->order.n = p->came_from.n = 0;
        ROOM(&p->order, 1);
        ROOM(&p->came_from, 1);
        *vec_push(&p->order) = (struct prefix_step){0, 0};
        *vec_push(&p->came_from) = 0;
        for (uint32_t i = 0; i < p->order.n && found == UINT32_MAX && !late_soon(); i++) {
                go_to(p, m, changes, path, i);
                if (machine_node(m, thread) == read && value_at(m, &m->tries.nodes.at[read]) == value)
                        found = i;
                else
                        expand(p, m, &states, i);
        }
        machine_undo(m, changes, path);
        m->usual = NULL;
        p->states += p->order.n;
        seen_fini(&states);
        return found;
}

/* A mutex that the thread holds, a cell; 0: none. */
static uint32_t held_by(const struct machine *m, uint32_t thread)
{
        for (uint32_t i = 1; i < m->tries.cells.n; i++)
                if (m->tries.cells.at[i].kind == CELL_OBJECT && OP_OWNER(m->now.at[i]) == thread + 1)
                        return i;
        return 0;
}

/* Section 5.2: a prefix that ends between a lock and its unlock is extended by the steps of its thread up to the unlock.  The
 * machine has performed the prefix under way, and `order` gets the steps. */
static void extend(struct published *p, struct machine *m)
{
        uint32_t changes = m->changes.n, path = m->path.n;
        uint32_t thread = p->now.steps.n ? p->steps.at[p->now.steps.first + p->now.steps.n - 1].thread : 0;

        p->order.n = 0;
        while (p->now.steps.n && held_by(m, thread) && machine_enabled(m, thread)) {
                ROOM(&p->order, 1);
                *vec_push(&p->order) = (struct prefix_step){thread, machine_node(m, thread)};
                if (machine_step(m, thread, 0) == MACHINE_UNSEEN)
                        break;
        }
        machine_undo(m, changes, path);
}

static bool same_step(struct prefix_step a, struct prefix_step b)
{
        return a.thread == b.thread && a.node == b.node;
}

/* Is the step one of those in `order`? */
static bool is_extension(const struct published *p, struct prefix_step s)
{
        for (uint32_t i = 0; i < p->order.n; i++)
                if (same_step(p->order.at[i], s))
                        return true;
        return false;
}

/* Is the sequence one of those to be omitted, apart from steps in `order`? */
static bool is_skipped(const struct published *p, struct prefix_range r)
{
        for (uint32_t i = 0; i < p->now.n_skips; i++) {
                struct prefix_range s = p->skips.at[p->now.skips + i];
                uint32_t k = 0, j = 0;
                for (; j < r.n; j++) {
                        if (k < s.n && same_step(p->steps.at[s.first + k], p->steps.at[r.first + j]))
                                k++;
                        else if (!is_extension(p, p->steps.at[r.first + j]))
                                break;
                }
                if (k == s.n && j == r.n)
                        return true;
        }
        return false;
}

/* A prefix that ends with the read, by the way that was found. */
static void make(struct published *p, uint32_t found, uint32_t thread, uint32_t read, uint64_t value)
{
        uint32_t first = p->steps.n, n = 0;

        for (uint32_t i = 0; i < p->now.steps.n; i++)
                add_step(p, p->steps.at[p->now.steps.first + i]);
        for (uint32_t k = found; k; k = p->came_from.at[k] - 1)
                n++;
        for (uint32_t i = 0; i < n; i++)
                add_step(p, (struct prefix_step){0, 0});
        for (uint32_t k = found, i = p->steps.n; k; k = p->came_from.at[k] - 1)
                p->steps.at[--i] = p->order.at[k];
        add_step(p, (struct prefix_step){thread, read});
        ROOM(&p->made, 1);
        *vec_push(&p->made) = (struct prefix){.steps = {first, p->steps.n - first}, .own = n + 1, .value = value};
}

static void add_value(struct published *p, uint64_t value)
{
        for (uint32_t i = 0; i < p->values.n; i++)
                if (p->values.at[i] == value)
                        return;
        ROOM(&p->values, 1);
        *vec_push(&p->values) = value;
}

/* Values of writes in the execution that the read may return. */
static void find_values(struct published *p, const struct tries *t, const struct learner *l, const struct node *read)
{
        p->values.n = 0;
        add_value(p, t->cells.at[read->cell].init & read->mask);
        for (uint32_t i = 0; i + 1 < l->at.n; i++) {
                for (uint32_t k = l->at.at[i]; k; k = t->nodes.at[k].parent) {
                        const struct node *n = &t->nodes.at[k], *by = &t->nodes.at[n->parent];
                        if (n->kind == NODE_WRITE && n->child && n->cell == read->cell && p->shown.at[n->child])
                                add_value(p, n->value & read->mask);
                        if ((n->flags & NODE_WROTE) && by->cell == read->cell)
                                add_value(p, n->wrote & read->mask);
                }
        }
}

/* Marks the nodes of the execution. */
static void show(struct published *p, const struct tries *t, const struct learner *l)
{
        ROOM(&p->shown, t->nodes.n);
        p->shown.n = 0;
        ROOM(&p->usual, t->nodes.n);
        p->usual.n = 0;
        for (uint32_t i = 0; i < t->nodes.n; i++) {
                *vec_push(&p->shown) = i == 0;
                *vec_push(&p->usual) = 0;
        }
        for (uint32_t i = 0; i + 1 < l->at.n; i++)
                for (uint32_t k = l->at.at[i]; k; k = t->nodes.at[k].parent) {
                        p->shown.at[k] = true;
                        p->usual.at[t->nodes.at[k].parent] = k;
                }
}

/* Reads that have to keep their values for one of this thread. */
static uint64_t count_kept(const struct published *p, const struct tries *t, uint32_t thread)
{
        uint64_t n = 0;

        for (uint32_t k = 1; k < t->nodes.n; k++)
                n += p->usual.at[k] && (t->nodes.at[k].kind == NODE_READ || t->nodes.at[k].kind == NODE_UPDATE) &&
                     (!(t->nodes.at[k].flags & NODE_LOOSE) || (!p->before && t->nodes.at[k].thread == thread));
        return n;
}

/* New prefixes for the reads of a thread after the prefix. */
static void explore_thread(struct published *p, struct machine *m, const struct learner *l, uint32_t thread)
{
        const struct tries *t = &m->tries;

        p->chain.n = 0;
        for (uint32_t k = l->at.at[thread]; k && k != machine_node(m, thread); k = t->nodes.at[k].parent) {
                ROOM(&p->chain, 1);
                *vec_push(&p->chain) = k;
        }
        for (uint32_t i = p->chain.n; i; i--) {
                uint32_t child = p->chain.at[i - 1], read = t->nodes.at[child].parent;
                const struct node *n = &t->nodes.at[read];
                if ((n->kind != NODE_READ && n->kind != NODE_UPDATE) || (n->flags & NODE_IGNORED))
                        continue;
                find_values(p, t, l, n);
                p->reads += count_kept(p, t, thread);
                for (uint32_t v = 0; v < p->values.n; v++) {
                        uint32_t found = UINT32_MAX;
                        if (p->values.at[v] != t->nodes.at[child].result)
                                found = find_way(p, m, thread, read, p->values.at[v]);
                        if (found != UINT32_MAX)
                                make(p, found, thread, read, p->values.at[v]);
                }
        }
}

/* Performs the steps of a prefix that others have not performed; the last one only looks.  false: it cannot. */
static bool follow(struct published *p, struct machine *m, const struct prefix *a, uint32_t from)
{
        for (uint32_t i = 0; i < a->own; i++) {
                struct prefix_step s = p->steps.at[a->steps.first + a->steps.n - a->own + i];
                bool done = false;
                for (uint32_t k = from; k < p->order.n; k++)
                        done |= p->order.at[k].thread == s.thread && p->order.at[k].node == s.node;
                if (done)
                        continue;
                if (machine_node(m, s.thread) != s.node || !machine_enabled(m, s.thread))
                        return false;
                ROOM(&p->order, 1);
                *vec_push(&p->order) = s;
                if (i + 1 == a->own) {
                        bool same = value_at(m, &m->tries.nodes.at[s.node]) == a->value;
                        for (uint32_t held = held_by(m, s.thread); held; held = held_by(m, s.thread))
                                machine_set(m, held, m->now.at[held] & ~OP_MUTEX_HELD_BITS);
                        return same;
                }
                if (machine_step(m, s.thread, 0) == MACHINE_UNSEEN)
                        return false;
        }
        return true;
}

/* One after the other, do both reads return their values?  What b adds is then the end of `order`, from *added. */
static bool combine(struct published *p, struct machine *m, const struct prefix *a, const struct prefix *b,
                    uint32_t *added)
{
        uint32_t changes = m->changes.n, path = m->path.n;
        bool same;

        p->order.n = 0;
        same = follow(p, m, a, 0);
        *added = p->order.n;
        same = same && follow(p, m, b, 0);
        machine_undo(m, changes, path);
        return same;
}

/* Algorithm 9: which of the new prefixes lead to the same when they are swapped.  *p->made.at[i] gets what is not to follow it. */
static void find_switches(struct published *p, struct machine *m, uint32_t i)
{
        struct prefix *a = &p->made.at[i];
        uint32_t first = p->skips.n, added;

        for (uint32_t k = 0; k < p->now.n_skips; k++) {
                ROOM(&p->skips, 1);
                struct prefix_range r = p->skips.at[p->now.skips + k];
                *vec_push(&p->skips) = r;
        }
        for (uint32_t j = i + 1; p->switches && j < p->made.n; j++) {
                const struct prefix *b = &p->made.at[j];
                uint32_t ta = p->steps.at[a->steps.first + a->steps.n - 1].thread;
                uint32_t tb = p->steps.at[b->steps.first + b->steps.n - 1].thread;
                if (ta == tb || !combine(p, m, b, a, &added) || !combine(p, m, a, b, &added))
                        continue;
                struct prefix_range r = {p->steps.n, p->order.n - added};
                for (uint32_t k = added; k < p->order.n; k++)
                        add_step(p, p->order.at[k]);
                ROOM(&p->skips, 1);
                *vec_push(&p->skips) = r;
        }
        a->skips = first;
        a->n_skips = p->skips.n - first;
}

void published_learn(struct published *p, struct machine *m, const struct learner *l)
{
        machine_grow(m);
        p->made.n = 0;
        if (!replay(p, m, p->now.steps))
                return;
        show(p, &m->tries, l);
        for (uint32_t i = 0; i < m->tries.threads.n && i + 1 < l->at.n; i++)
                if (l->at.at[i])
                        explore_thread(p, m, l, i);
        for (uint32_t i = 0; i < p->made.n; i++)
                find_switches(p, m, i);
        extend(p, m);
        for (uint32_t i = p->made.n; i; i--) {
                const struct prefix *a = &p->made.at[i - 1];
                struct prefix_range own = {a->steps.first + a->steps.n - a->own, a->own};
                if (is_skipped(p, own))
                        continue;
                ROOM(&p->open, 1);
                *vec_push(&p->open) = *a;
        }
}
