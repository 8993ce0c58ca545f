/*
 * Acquires of a thread with the same lock and source location, while the same locks are held, are one abstract acquire.  A
 * depth-first search finds cycles of these.  For each, the acquires are tried from the first ones on: one that is in the closure of
 * what comes before the others is in every later closure, too, and the next one of its thread takes its place.
 */
#include "strategy/predict/cycles.h"

#include <string.h>

#include "base/deadline.h"
#include "base/hash.h"
#include "op/op.h"

#define EFFORT (UINT64_C(1) << 25) /* lanes visited for one trace */
#define STEPS  (UINT32_C(1) << 20) /* of the search for cycles */
#define WAITS  4096u
static const struct model_section *section_of(const struct model *m, uint32_t held)
{
        return &m->sections.at[m->held.at[held - 1].section];
}

/* Does a thread with these locks keep another one from taking this one? */
static bool keeps(const struct model *m, uint32_t list, uint32_t lock, bool shared)
{
        for (uint32_t i = list; i; i = m->held.at[i - 1].next) {
                const struct model_section *s = section_of(m, i);
                if (s->lock == lock && !(s->shared && shared))
                        return true;
        }
        return false;
}

static bool disjoint(const struct model *m, uint32_t a, uint32_t b)
{
        for (uint32_t i = a; i; i = m->held.at[i - 1].next)
                if (keeps(m, b, section_of(m, i)->lock, section_of(m, i)->shared))
                        return false;
        return true;
}

/* The lock operation of a section, and its source location. */
static const struct wire_event *event_of(const struct model *m, const struct model_section *s)
{
        return &m->trace->events[m->nodes.at[s->acquire].event];
}

/* Abstract acquires. */

static uint64_t key_of(const struct model *m, uint32_t section)
{
        const struct model_section *s = &m->sections.at[section];
        const struct model_node *n = &m->nodes.at[s->acquire];
        uint64_t h = hash_mix(hash_mix(hash_mix(n->actor, s->lock), s->shared), event_of(m, s)->site);

        for (uint32_t i = n->held; i; i = m->held.at[i - 1].next)
                h = hash_mix(h, (uint64_t)section_of(m, i)->lock << 1 | section_of(m, i)->shared);
        return h;
}

static void add_wait(struct cycles *c, uint32_t section)
{
        const struct model *m = c->model;
        const struct model_section *s = &m->sections.at[section];
        const struct model_node *n = &m->nodes.at[s->acquire];
        uint32_t *i;

        if (!n->held || !op_blocks(event_of(m, s)->op) || c->waits.n == WAITS)
                return;
        i = index_map_at(&c->map, key_of(m, section));
        if (*i) {
                c->next.at[c->waits.at[*i - 1].last - 1] = section + 1;
                c->waits.at[*i - 1].last = section + 1;
                return;
        }
        vec_need(&c->waits, 1);
        *vec_push(&c->waits) = (struct cycle_wait){.lock = s->lock,
                                                   .held = n->held,
                                                   .first = section + 1,
                                                   .last = section + 1,
                                                   .site = event_of(m, s)->site,
                                                   .actor = n->actor,
                                                   .shared = s->shared};
        *i = c->waits.n;
}

/* Cycles. */

static bool far(const struct cycles *c, const uint32_t *nodes, uint32_t n)
{
        uint32_t lo = UINT32_MAX, hi = 0;

        for (uint32_t i = 0; i < n; i++) {
                uint32_t e = c->model->nodes.at[nodes[i]].event;
                lo = e < lo ? e : lo;
                hi = e > hi ? e : hi;
        }
        return c->window && hi - lo > c->window;
}

/* The first of these sections from `at` on that the set does not have; 0: none. */
static uint32_t beyond(const struct cycles *c, uint32_t at)
{
        while (at && model_has(c->model, c->set.at, c->model->sections.at[at - 1].acquire) && !late_soon())
                at = c->next.at[at - 1];
        return at;
}

/* Looks for acquires of the cycle that can wait for each other. */
static bool instantiate(struct cycles *c, struct question *q)
{
        uint32_t at[QUESTION_THREADS];
        bool moved = true;

        for (uint32_t i = 0; i < c->n_path; i++)
                at[i] = c->waits.at[c->path[i]].first;
        q->n_before = c->n_path;
        while (moved) {
                moved = false;
                for (uint32_t i = 0; i < c->n_path; i++)
                        q->before[i] = c->model->sections.at[at[i] - 1].acquire;
                if (closure_spent(&c->closure) || !question_ask(&c->closure, q, c->set.at))
                        return false;
                for (uint32_t i = 0; i < c->n_path; i++) {
                        uint32_t next = beyond(c, at[i]);

                        if (!next)
                                return false;
                        moved |= next != at[i];
                        at[i] = next;
                }
        }
        return !far(c, q->before, q->n_before) && !late_reported();
}

static void found(struct cycles *c)
{
        struct question q = {.kind = PREDICT_DEADLOCK, .with = MODEL_NONE, .pair = MODEL_NONE};
        uint64_t key = 0;
        uint32_t *known;

        for (uint32_t i = 0; i < c->n_path; i++) {
                const struct cycle_wait *w = &c->waits.at[c->path[i]];
                key += hash_mix(hash_mix(4, w->site), event_of(c->model, &c->model->sections.at[w->first - 1])->obj);
        }
        if (index_map_find(c->known, key) || !instantiate(c, &q) ||
            !forecasts_add(c->forecasts, c->model, &q, c->set.at))
                return;
        known = index_map_at(c->known, key);
        *known = 1;
}

/* Does the last of the path wait for this one, and may it be the next? */
static bool follows(const struct cycles *c, uint32_t next)
{
        const struct cycle_wait *w = &c->waits.at[next], *last = &c->waits.at[c->path[c->n_path - 1]];

        if (!keeps(c->model, w->held, last->lock, last->shared))
                return false;
        for (uint32_t i = 0; i < c->n_path; i++) {
                const struct cycle_wait *p = &c->waits.at[c->path[i]];
                if (p->actor == w->actor || !disjoint(c->model, p->held, w->held))
                        return false;
        }
        return true;
}

/* Extends the path; its first one has the lowest number, so that a cycle is found once. */
static void extend(struct cycles *c) /* NOLINT(misc-no-recursion): as deep as threads in a cycle */
{
        const struct cycle_wait *first = &c->waits.at[c->path[0]], *last = &c->waits.at[c->path[c->n_path - 1]];

        if (c->n_path > 1 && keeps(c->model, first->held, last->lock, last->shared)) {
                found(c);
                return;
        }
        if (c->n_path == QUESTION_THREADS)
                return;
        for (uint32_t i = c->path[0] + 1; i < c->waits.n; i++) {
                if (++c->steps > STEPS || closure_spent(&c->closure) || late_soon())
                        return;
                if (!follows(c, i))
                        continue;
                c->path[c->n_path++] = i;
                extend(c);
                c->n_path--;
        }
}

void cycles_read(struct cycles *c, const struct model *m)
{
        c->model = m;
        c->closure = (struct closure){.model = m, .limit = EFFORT};
        c->waits.n = c->next.n = c->set.n = c->steps = 0;
        index_map_clear(&c->map);
        vec_need(&c->set, m->width);
        vec_need(&c->next, m->sections.n);
        for (uint32_t i = 0; i < m->sections.n; i++)
                c->next.at[i] = 0;
        for (uint32_t i = 0; i < m->sections.n && !late_soon(); i++)
                add_wait(c, i);
        for (uint32_t i = 0; i < c->waits.n; i++) {
                c->path[0] = i;
                c->n_path = 1;
                extend(c);
        }
}

void cycles_fini(struct cycles *c)
{
        vec_fini(&c->waits);
        vec_fini(&c->next);
        vec_fini(&c->set);
        index_map_fini(&c->map);
}
