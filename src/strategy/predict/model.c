/*
 * Reads a trace from its beginning to its end, with the last writer of each byte and the last change of each object at hand.
 *
 * Conservative where it must guess: an operation that is neither a lock nor an access to memory keeps its place among all
 * changes of its object.  Too much order costs predictions; too little costs an execution that refutes one.
 */
#include "strategy/predict/model.h"

#include <string.h>

#include "base/assert.h"
#include "base/deadline.h"
#include "op/op.h"

#define CLOCK_ROOM (UINT32_C(1) << 26) /* numbers in clocks: a quarter of a GiB */
#define CHECKED    256u                /* nodes */
#define WIDE       64u                 /* granules of one entry: of more, only those that were touched count */

/* Clocks. */

static uint32_t *vector(const struct model *m, uint32_t clock)
{
        return &m->clocks.at[(size_t)clock * m->width];
}

static void join(const struct model *m, uint32_t *set, uint32_t clock)
{
        const uint32_t *v = vector(m, clock);

        for (uint32_t i = 0; i < m->width; i++)
                set[i] = set[i] > v[i] ? set[i] : v[i];
}

static void add_own(uint32_t *set, uint32_t actor, uint32_t index)
{
        set[actor] = set[actor] > index ? set[actor] : index;
}

void model_add_before(const struct model *m, uint32_t *set, uint32_t node)
{
        const struct model_node *n = &m->nodes.at[node];

        join(m, set, n->before);
        add_own(set, n->actor, n->index - 1);
}

void model_add(const struct model *m, uint32_t *set, uint32_t node)
{
        const struct model_node *n = &m->nodes.at[node];

        join(m, set, n->clock);
        add_own(set, n->actor, n->index);
}

/* A clock of the thread that may be written to. */
static uint32_t *own_clock(struct model *m, uint32_t actor)
{
        uint32_t old = m->now.at[actor], n = m->clocks.n / m->width;

        if (old >= m->fresh)
                return vector(m, old);
        vec_need(&m->clocks, m->width);
        m->clocks.n += m->width;
        memcpy(vector(m, n), vector(m, old), m->width * sizeof *m->clocks.at);
        m->now.at[actor] = n;
        return vector(m, n);
}

/* The node under way, of this thread, needs another one (+ 1; 0: none). */
static void need(struct model *m, uint32_t actor, uint32_t other)
{
        const struct model_node *o;

        if (!other)
                return;
        o = &m->nodes.at[other - 1];
        if (o->actor == actor || vector(m, m->now.at[actor])[o->actor] >= o->index)
                return;
        model_add(m, own_clock(m, actor), other - 1);
}

/* Objects. */

static uint64_t key_of(const struct wire_event *e)
{
        uint64_t kind = e->op >= OP_USER ? 63 : op_object(e->op);

        return e->obj ^ kind << 56;
}

static uint32_t object_of(struct model *m, const struct wire_event *e)
{
        uint32_t *i = index_map_at(&m->object_map, key_of(e));

        if (!*i) {
                vec_need(&m->objects, 1);
                *vec_push(&m->objects) = (struct model_object){0};
                *i = m->objects.n;
        }
        return *i - 1;
}

/* Locks. */

static uint32_t lane_of(struct model *m, uint32_t lock, uint32_t actor)
{
        uint32_t *i = index_map_at(&m->lane_map, (uint64_t)lock << 16 | actor), n = m->lanes.n;

        if (!*i) {
                vec_need(&m->lanes, 1);
                *vec_push(&m->lanes) = (struct model_lane){.lock = lock, .id = n, .actor = (uint16_t)actor};
                *i = m->lanes.n;
        }
        return *i - 1;
}

/* The section that the thread has begun under a lock: its list element, index + 1; 0: none. */
static uint32_t open_section(const struct model *m, uint32_t lock, uint32_t actor)
{
        uint32_t i = m->holds.at[actor];

        while (i && m->sections.at[m->held.at[i - 1].section].lock != lock)
                i = m->held.at[i - 1].next;
        return i;
}

static void hold(struct model *m, uint32_t actor, uint32_t section)
{
        vec_need(&m->held, 1);
        *vec_push(&m->held) = (struct model_held){.section = section, .next = m->holds.at[actor]};
        m->holds.at[actor] = m->held.n;
}

static void acquire(struct model *m, uint32_t lock, uint32_t node, uint32_t actor, bool shared)
{
        uint32_t open = open_section(m, lock, actor);
        struct model_lane *l;

        if (open) {
                m->sections.at[m->held.at[open - 1].section].depth++;
                return;
        }
        uint32_t lane = lane_of(m, lock, actor);
        vec_need(&m->sections, 1);
        l = &m->lanes.at[lane];
        l->n++;
        if (!shared)
                l->exclusive = m->sections.n + 1;
        *vec_push(&m->sections) = (struct model_section){.lane = lane,
                                                         .lock = lock,
                                                         .acquire = node,
                                                         .release = MODEL_NONE,
                                                         .depth = 1,
                                                         .exclusive = l->exclusive,
                                                         .shared = shared};
        hold(m, actor, m->sections.n - 1);
}

/* Lists are shared by nodes, so what comes before the element is copied. */
static uint32_t without(struct model *m, uint32_t list, uint32_t element)
{
        uint32_t rest;

        if (list == element)
                return m->held.at[list - 1].next;
        rest = without(m, m->held.at[list - 1].next, element);
        vec_need(&m->held, 1);
        *vec_push(&m->held) = (struct model_held){.section = m->held.at[list - 1].section, .next = rest};
        return m->held.n;
}

static void release(struct model *m, uint32_t lock, uint32_t node, uint32_t actor)
{
        uint32_t open = open_section(m, lock, actor);
        struct model_section *s = open ? &m->sections.at[m->held.at[open - 1].section] : NULL;

        if (!s || --s->depth)
                return;
        s->release = node;
        m->holds.at[actor] = without(m, m->holds.at[actor], open);
}

uint32_t model_apart(const struct model *m, uint32_t a, uint32_t b)
{
        for (uint32_t i = m->nodes.at[a].held; i; i = m->held.at[i - 1].next)
                for (uint32_t k = m->nodes.at[b].held; k; k = m->held.at[k - 1].next) {
                        const struct model_section *x = &m->sections.at[m->held.at[i - 1].section],
                                                   *y = &m->sections.at[m->held.at[k - 1].section];
                        if (x->lock == y->lock && !(x->shared && y->shared))
                                return m->held.at[i - 1].section + 1;
                }
        return 0;
}

/* Entries. */

static void read_object(struct model *m, const struct wire_event *e, uint32_t node)
{
        uint32_t i = object_of(m, e), order = op_order(e->op);
        struct model_object *o = &m->objects.at[i];
        bool takes = order == OP_TAKES || order == OP_TAKES_SHARED;

        if (takes && !op_took(e)) {
                need(m, e->actor, o->last);
                return;
        }
        need(m, e->actor, o->chain);
        if (e->mode == WIRE_MODE_READ)
                return;
        if (takes || order == OP_GIVES) {
                o->last = node + 1;
                if (takes)
                        acquire(m, i, node, e->actor, order == OP_TAKES_SHARED);
                else
                        release(m, i, node, e->actor);
                return;
        }
        need(m, e->actor, o->last);
        o->chain = o->last = node + 1;
}

static void read_granule(struct model *m, const struct wire_event *e, uint32_t node, uint64_t g, bool make)
{
        bool reads = e->mode == WIRE_MODE_READ || e->mode == WIRE_MODE_LINE_READ || op_has(e->op, OPF_LOOKS);
        uint32_t *i = make ? index_map_at(&m->byte_map, g) : NULL, at = i ? *i : index_map_find(&m->byte_map, g);

        if (i && !at) {
                vec_need(&m->bytes, 1);
                *vec_push(&m->bytes) = (struct model_bytes){0};
                *i = at = m->bytes.n;
        }
        for (uint64_t b = 0; at && b < 8; b++) {
                uint32_t *w = &m->bytes.at[at - 1].writer[b];

                if ((g << 3) + b < e->obj || (g << 3) + b >= e->obj + e->size)
                        continue;
                if (reads)
                        need(m, e->actor, *w);
                if (e->mode == WIRE_MODE_WRITE)
                        *w = node + 1;
        }
}

static void read_memory(struct model *m, const struct wire_event *e, uint32_t node)
{
        uint64_t first = e->obj >> 3, last = (e->obj + (e->size ? e->size - 1 : 0)) >> 3;

        for (uint64_t g = first; e->size && g <= last; g++)
                read_granule(m, e, node, g, last - first < WIDE);
}

static bool is_memory(const struct wire_event *e)
{
        return op_object(e->op) == OP_OBJ_MEMORY || op_has(e->op, OPF_RACES);
}

static void read_entry(struct model *m, const struct wire_event *e, uint32_t node)
{
        bool names = op_has(e->op, OPF_NAMES_THREAD) && e->choice < m->width;

        if (e->flags & WIRE_EV_LAST)
                for (uint32_t i = 0; i < m->width; i++)
                        need(m, e->actor, m->tops.at[i]);
        if (names && e->op == OP_JOIN)
                need(m, e->actor, m->tops.at[e->choice]);
        else if (names)
                m->wakes.at[e->choice] = node + 1;
        if (e->mode == WIRE_MODE_NONE || e->mode == WIRE_MODE_FORWARD)
                return;
        if (is_memory(e))
                read_memory(m, e, node);
        else
                read_object(m, e, node);
}

static uint32_t read_node(struct model *m, uint32_t event)
{
        const struct trace *t = m->trace;
        uint32_t actor = t->events[event].actor, node = m->nodes.n, top = m->tops.at[actor];
        uint32_t n = trace_transition_length(t, event);

        vec_need(&m->nodes, 1);
        *vec_push(&m->nodes) = (struct model_node){.event = event,
                                                   .n_events = n,
                                                   .index = top ? m->nodes.at[top - 1].index + 1 : 1,
                                                   .held = m->holds.at[actor],
                                                   .actor = (uint16_t)actor};
        m->fresh = m->clocks.n / m->width;
        need(m, actor, m->wakes.at[actor]);
        m->wakes.at[actor] = 0;
        m->nodes.at[node].before = m->nodes.at[node].clock = m->now.at[actor];
        m->fresh = m->clocks.n / m->width; /* `before` is not changed any more */
        for (uint32_t i = event; i < event + n; i++)
                if (t->events[i].actor == actor)
                        read_entry(m, &t->events[i], node);
        m->nodes.at[node].clock = m->now.at[actor];
        m->tops.at[actor] = node + 1;
        return n;
}

/* Lanes. */

static int by_lock(const void *a, const void *b)
{
        const struct model_lane *x = a, *y = b;

        if (x->lock != y->lock)
                return x->lock < y->lock ? -1 : 1;
        return x->actor < y->actor ? -1 : x->actor > y->actor;
}

static void sort_lanes(struct model *m)
{
        uint32_t first = 0;

        m->order.n = m->moved.n = 0;
        if (!m->lanes.n)
                return;
        qsort(m->lanes.at, m->lanes.n, sizeof *m->lanes.at, by_lock);
        vec_need(&m->moved, m->lanes.n);
        vec_need(&m->order, m->sections.n);
        for (uint32_t i = 0; i < m->lanes.n; i++) {
                struct model_lane *l = &m->lanes.at[i];

                m->moved.at[l->id] = i;
                l->first = first;
                first += l->n;
                l->n = 0;
        }
        for (uint32_t i = 0; i < m->sections.n; i++) {
                struct model_lane *l = &m->lanes.at[m->moved.at[m->sections.at[i].lane]];

                m->order.at[l->first + l->n++] = i;
        }
}

/* Locks are objects; those without a lane have none between their first and the next one's. */
static void index_lanes(struct model *m)
{
        uint32_t lane = 0;

        m->firsts.n = 0;
        vec_need(&m->firsts, m->objects.n + 1);
        for (uint32_t i = 0; i <= m->objects.n; i++) {
                while (lane < m->lanes.n && m->lanes.at[lane].lock < i)
                        lane++;
                *vec_push(&m->firsts) = lane;
        }
}

static void index_nodes(struct model *m)
{
        uint32_t at = 0;

        m->starts.n = m->own.n = 0;
        vec_need(&m->starts, m->width + 1);
        vec_need(&m->own, m->nodes.n);
        for (uint32_t i = 0; i < m->width; i++) {
                *vec_push(&m->starts) = at;
                at += m->tops.at[i] ? m->nodes.at[m->tops.at[i] - 1].index : 0;
        }
        *vec_push(&m->starts) = at;
        for (uint32_t i = 0; i < m->nodes.n; i++)
                m->own.at[m->starts.at[m->nodes.at[i].actor] + m->nodes.at[i].index - 1] = i;
        m->own.n = m->nodes.n;
}

static void zeros(struct model *m)
{
        uint32_t n = m->width;

        m->clocks.n = m->now.n = m->tops.n = m->wakes.n = m->holds.n = 0;
        vec_need(&m->clocks, n);
        vec_need(&m->now, n);
        vec_need(&m->tops, n);
        vec_need(&m->wakes, n);
        vec_need(&m->holds, n);
        memset(m->clocks.at, 0, n * sizeof *m->clocks.at);
        memset(m->now.at, 0, n * sizeof *m->now.at);
        memset(m->tops.at, 0, n * sizeof *m->tops.at);
        memset(m->wakes.at, 0, n * sizeof *m->wakes.at);
        memset(m->holds.at, 0, n * sizeof *m->holds.at);
        m->clocks.n = m->now.n = m->tops.n = m->wakes.n = m->holds.n = n;
}

bool model_read(struct model *m, const struct trace *t)
{
        uint32_t i = 0;

        m->trace = t;
        m->width = t->n_threads;
        m->nodes.n = m->held.n = m->sections.n = m->lanes.n = m->objects.n = m->bytes.n = 0;
        index_map_clear(&m->object_map);
        index_map_clear(&m->byte_map);
        index_map_clear(&m->lane_map);
        zeros(m);
        while (i < t->n_events && m->clocks.n < CLOCK_ROOM && !late_soon())
                i += read_node(m, i);
        sort_lanes(m);
        index_lanes(m);
        index_nodes(m);
        heddle_check(model_check(m));
        return i >= t->n_events;
}

/* What is true of a node's clock, given those before it: it has what it needs of each other thread. */
static bool check_node(const struct model *m, uint32_t node)
{
        const struct model_node *n = &m->nodes.at[node];
        const uint32_t *before = vector(m, n->before), *clock = vector(m, n->clock);

        for (uint32_t i = 0; i < m->width; i++)
                if (before[i] > clock[i])
                        return false;
        for (uint32_t k = 0; k < node; k++) {
                const struct model_node *o = &m->nodes.at[k];
                const uint32_t *other = vector(m, o->clock);

                for (uint32_t i = 0; i < m->width && clock[o->actor] >= o->index && o->actor != n->actor; i++)
                        if (i != n->actor && other[i] > clock[i])
                                return false;
        }
        return true;
}

bool model_check(const struct model *m)
{
        for (uint32_t i = 0; i < m->nodes.n && i < CHECKED; i++)
                if (!check_node(m, i))
                        return false;
        for (uint32_t i = 0; i < m->lanes.n; i++)
                for (uint32_t k = 1; k < m->lanes.at[i].n; k++) {
                        const uint32_t *s = &m->order.at[m->lanes.at[i].first + k];
                        if (m->sections.at[s[-1]].release == MODEL_NONE ||
                            m->sections.at[s[-1]].release > m->sections.at[s[0]].acquire)
                                return false;
                }
        return true;
}

void model_fini(struct model *m)
{
        vec_fini(&m->nodes);
        vec_fini(&m->clocks);
        vec_fini(&m->now);
        vec_fini(&m->tops);
        vec_fini(&m->wakes);
        vec_fini(&m->holds);
        vec_fini(&m->held);
        vec_fini(&m->sections);
        vec_fini(&m->lanes);
        vec_fini(&m->starts);
        vec_fini(&m->own);
        vec_fini(&m->firsts);
        vec_fini(&m->order);
        vec_fini(&m->moved);
        vec_fini(&m->objects);
        vec_fini(&m->bytes);
        index_map_fini(&m->object_map);
        index_map_fini(&m->byte_map);
        index_map_fini(&m->lane_map);
}
