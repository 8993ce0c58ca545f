/*
 * Each access is compared with the accesses of other threads before it, by source location: what is true of the last one at a
 * location, or found out about an earlier one, holds for the others, too.
 *
 * Races are sync-preserving (docs/proofs/predict.md).  With e1 before e2 in the trace there is one if e1 is not in the closure of
 * what comes before either in its thread.  The closure only grows with later e2, so an e1 that is in it once is never considered
 * again: each pair of records takes time in proportion to its accesses.
 */
#include "strategy/predict/conflicts.h"

#include <string.h>

#include "base/deadline.h"
#include "base/hash.h"
#include "op/op.h"

#define EFFORT    (UINT64_C(1) << 26) /* lanes and pairs of accesses visited for one trace */
#define BETWEEN   4u                  /* times that an atomicity violation is considered, in all traces */
#define VISITS    64u                 /* ... of two records in one trace */
#define LOW       4096u               /* values below are not pointers */
#define PREDICTED UINT32_MAX
static bool writes(const struct conflict_record *r)
{
        return race_is_write(r->what.kind);
}

static const struct wire_event *event_of(const struct conflicts *c, uint32_t access)
{
        return &c->model->trace->events[c->accesses.at[access - 1].event];
}

static uint32_t node_of(const struct conflicts *c, uint32_t access)
{
        return c->accesses.at[access - 1].node;
}

static bool far(const struct conflicts *c, uint32_t a, uint32_t b)
{
        uint32_t x = c->accesses.at[a - 1].event, y = c->accesses.at[b - 1].event;

        return c->window && (x > y ? x - y : y - x) > c->window;
}

/* Answers. */

static bool ask(struct conflicts *c, const struct question *q)
{
        return !closure_spent(&c->closure) && question_ask(&c->closure, q, c->set.at) && !late_reported();
}

static void predict(struct conflicts *c, const struct question *q, const uint32_t *set)
{
        struct pair *p = &c->pairs->list.at[q->pair];

        p->allowed = true;
        if (forecasts_add(c->forecasts, c->model, q, set))
                pair_predicted(p, q->kind);
}

/* Does e2 need e1, whatever the locks? */
static bool needs(const struct model *m, uint32_t e2, uint32_t e1)
{
        return model_has(m, &m->clocks.at[(size_t)m->nodes.at[e2].before * m->width], e1);
}

/* Can both be next at once? */
static bool possible_race(struct conflicts *c, const struct question *q, uint32_t early, uint32_t late)
{
        uint32_t e1 = q->before[0], e2 = q->before[1];

        return !needs(c->model, e2, e1) && !far(c, early, late) && !model_apart(c->model, e1, e2) && ask(c, q);
}

static bool race(struct conflicts *c, const struct conflict_record *early, struct conflict_state *s, uint32_t late,
                 enum prediction_kind kind)
{
        uint32_t at = s->passed ? c->accesses.at[s->passed - 1].next : early->first, e2 = node_of(c, late);

        for (; at && !late_soon(); at = c->accesses.at[at - 1].next) {
                uint32_t e1 = node_of(c, at);
                struct question q = {.kind = kind,
                                     .before = {e1, e2},
                                     .n_before = 2,
                                     .with = MODEL_NONE,
                                     .avoid = {e1, e2},
                                     .n_avoid = 2,
                                     .last = {e2, e1},
                                     .n_last = 2,
                                     .site = {event_of(c, late)->site, event_of(c, at)->site},
                                     .pair = s->pair};

                if (possible_race(c, &q, at, late)) {
                        predict(c, &q, c->set.at);
                        return true;
                }
                if (closure_spent(&c->closure))
                        return false;
                s->passed = at;
        }
        return false;
}

/* Can e2 come before e1?  The closure of what comes before e2 is the same for every e1. */
static void order(struct conflicts *c, uint32_t early, uint32_t late, enum prediction_kind kind, uint32_t pair)
{
        uint32_t e1 = node_of(c, early), e2 = node_of(c, late);
        struct question q = {.kind = kind,
                             .before = {e2},
                             .n_before = 1,
                             .with = MODEL_NONE,
                             .last = {e2},
                             .n_last = 1,
                             .pair = pair};

        if (closure_spent(&c->closure) || far(c, early, late))
                return;
        if (needs(c->model, e2, e1)) {
                c->pairs->list.at[pair].denied = true;
                return;
        }
        if (c->alone != e2 + 1) {
                c->alone = e2 + 1;
                c->alone_possible = question_ask(&c->closure, &q, c->alone_set.at);
        }
        if (closure_spent(&c->closure) || late_reported())
                return;
        if (!c->alone_possible || model_has(c->model, c->alone_set.at, e1)) {
                c->pairs->list.at[pair].denied = true;
                return;
        }
        predict(c, &q, c->alone_set.at);
}

/* A guess, whatever the values: e1, or the section that it is in, has to wait until the thread of e2 has run as far as it gets. */
static void postpone(struct conflicts *c, uint32_t early, uint32_t late, struct pair *p)
{
        uint32_t e1 = node_of(c, early), e2 = node_of(c, late), section = model_apart(c->model, e1, e2);
        uint32_t actor = c->model->nodes.at[e2].actor, *known;

        if (p->guesses == PAIR_TRIES || far(c, early, late))
                return;
        known = index_map_at(c->known, hash_mix(hash_mix(hash_mix(5, p->site[0]), p->site[1]),
                                                (uint64_t)c->model->nodes.at[e1].actor << 32 | actor));
        if (*known)
                return;
        *known = 1;
        if (section)
                e1 = c->model->sections.at[section - 1].acquire;
        p->guesses += forecasts_guess(c->forecasts, c->model, e1, actor);
}

/* Reads. */

uint64_t conflicts_read_key(uint64_t write, uint64_t read)
{
        return hash_mix(hash_mix(3, write), read);
}

/* Can the read come right after the write, or else, where a lock is around each, in the next section? */
static void read_from(struct conflicts *c, uint32_t write, uint32_t read)
{
        uint32_t w = node_of(c, write), r = node_of(c, read), *tries;
        uint64_t key = conflicts_read_key(event_of(c, write)->site, event_of(c, read)->site);
        struct question q = {.kind = PREDICT_READ,
                             .before = {r, w},
                             .n_before = 2,
                             .with = MODEL_NONE,
                             .avoid = {r, w},
                             .n_avoid = 2,
                             .last = {w, r},
                             .n_last = 2,
                             .site = {event_of(c, write)->site, event_of(c, read)->site},
                             .pair = MODEL_NONE};

        if (index_map_find(c->known, key) || closure_spent(&c->closure) || far(c, write, read))
                return;
        tries = index_map_at(c->known, hash_mix(6, key));
        if (*tries > BETWEEN)
                return;
        ++*tries;
        if (model_apart(c->model, w, r)) {
                q.with = w;
                q.last[0] = r;
                q.n_before = q.n_avoid = q.n_last = 1;
        }
        if (ask(c, &q) && forecasts_add(c->forecasts, c->model, &q, c->set.at))
                *tries = PREDICTED;
}

/* Atomicity. */

/* Of three accesses, the outer two of one thread: are they equivalent to none of the serial orders?  (Lu, Tucek, Qin, Zhou: AVIO, ASPLOS 2006.) */
static bool unserializable(bool first, bool between, bool last)
{
        return between ? !first || !last : first && last;
}

static void between(struct conflicts *c, const struct conflict_record *outer, uint32_t second,
                    const struct conflict_record *other, uint32_t middle)
{
        uint32_t first = c->accesses.at[second - 1].own;
        const struct wire_event *a = first ? event_of(c, first) : NULL;
        struct question q = {.kind = PREDICT_ATOMICITY, .n_before = 1, .n_avoid = 2, .n_last = 1, .pair = MODEL_NONE};
        uint32_t *known;

        if (!a || !unserializable(a->mode == WIRE_MODE_WRITE, writes(other), writes(outer)) ||
            node_of(c, first) == node_of(c, second) || far(c, first, middle))
                return;
        known = index_map_at(c->known, hash_mix(hash_mix(hash_mix(2, a->site), other->what.site), outer->what.site));
        if (*known > BETWEEN || closure_spent(&c->closure))
                return;
        ++*known;
        q.before[0] = q.last[0] = q.avoid[0] = node_of(c, middle);
        q.avoid[1] = node_of(c, second);
        q.with = node_of(c, first);
        if (ask(c, &q) && forecasts_add(c->forecasts, c->model, &q, c->set.at))
                *known = PREDICTED;
}

/* Pairs. */

/* What it would be that e2 comes before e1. */
static enum prediction_kind kind_of_order(const struct conflicts *c, const struct conflict_record *early,
                                          const struct conflict_record *late, uint32_t access)
{
        const struct wire_event *e1 = event_of(c, early->last), *e2 = event_of(c, access);
        const uint64_t *before = c->model->trace->before;

        if (race_is_end(late->what.kind))
                return PREDICT_FREED;
        if (before && writes(early) && !writes(late) && e1->obj == e2->obj && e2->size == 8 && e2->value >= LOW &&
            !before[c->accesses.at[early->last - 1].event])
                return PREDICT_NULL;
        return PREDICT_ORDER;
}

static bool conflict(const struct conflict_record *a, const struct conflict_record *b)
{
        if (a->what.actor == b->what.actor || !(a->mask & b->mask))
                return false;
        if (a->what.kind >= RACE_KINDS || b->what.kind >= RACE_KINDS)
                return a->what.kind == PAIR_WAIT && b->what.kind == PAIR_SIGNAL;
        return writes(a) || writes(b);
}

static struct conflict_state *state_of(struct conflicts *c, uint32_t early, uint32_t late)
{
        uint32_t *i = index_map_at(&c->state_map, (uint64_t)early << 32 | late);

        if (!*i) {
                uint8_t order;

                vec_need(&c->states, 1);
                *vec_push(&c->states) = (struct conflict_state){
                        .pair = pairs_find(c->pairs, &c->records.at[early].what, &c->records.at[late].what, &order)};
                c->pairs->list.at[c->states.at[c->states.n - 1].pair].orders |= order;
                *i = c->states.n;
        }
        return &c->states.at[*i - 1];
}

static void memory_pair(struct conflicts *c, uint32_t early, uint32_t late, struct conflict_state *s, uint32_t access)
{
        const struct conflict_record *a = &c->records.at[early], *b = &c->records.at[late];
        struct pair *p = &c->pairs->list.at[s->pair];
        enum prediction_kind kind = kind_of_order(c, a, b, access),
                             racy = kind == PREDICT_FREED ? PREDICT_FREED : PREDICT_RACE;
        bool atomic = race_is_atomic(a->what.kind) && race_is_atomic(b->what.kind);

        if (!atomic && pair_wants(p, racy) && race(c, a, s, access, racy))
                return;
        if (p->orders != (RACE_FORWARD | RACE_BACKWARD) && pair_wants(p, kind) && !(p->pending >> racy & 1))
                order(c, a->last, access, kind, s->pair);
        if (s->visits == VISITS)
                return;
        s->visits++;
        postpone(c, a->last, access, p);
        if (writes(a) != writes(b))
                read_from(c, writes(a) ? a->last : access, writes(a) ? access : a->last);
        between(c, a, a->last, b, access);
        between(c, b, access, a, a->last);
}

static void visit(struct conflicts *c, uint32_t early, uint32_t late, uint32_t access)
{
        struct conflict_state *s;

        c->closure.effort++;
        if (!conflict(&c->records.at[early], &c->records.at[late]))
                return;
        s = state_of(c, early, late);
        if (pair_is_memory(&c->pairs->list.at[s->pair]))
                memory_pair(c, early, late, s, access);
        else if (pair_wants(&c->pairs->list.at[s->pair], PREDICT_WAKEUP))
                race(c, &c->records.at[early], s, access, PREDICT_WAKEUP);
}

/* Accesses. */

/* The record of an access at a place: its index.  *own: the last access of the thread there, index + 1. */
static uint32_t record_of(struct conflicts *c, uint32_t place, const struct pair_access *what, uint8_t mask,
                          uint32_t *own)
{
        uint32_t found = 0;

        *own = 0;
        for (uint32_t i = c->places.at[place].records; i; i = c->records.at[i - 1].next) {
                const struct conflict_record *r = &c->records.at[i - 1];

                if (r->what.actor != what->actor)
                        continue;
                *own = r->last > *own ? r->last : *own;
                if (r->what.site == what->site && r->what.kind == what->kind && r->mask == mask)
                        found = i;
        }
        if (found)
                return found - 1;
        vec_need(&c->records, 1);
        *vec_push(&c->records) =
                (struct conflict_record){.what = *what, .mask = mask, .next = c->places.at[place].records};
        c->places.at[place].records = c->records.n;
        return c->records.n - 1;
}

static void access_place(struct conflicts *c, uint32_t place, const struct pair_access *what, uint8_t mask,
                         uint32_t node, uint32_t event)
{
        uint32_t own, r = record_of(c, place, what, mask, &own), n;

        vec_need(&c->accesses, 1);
        *vec_push(&c->accesses) = (struct conflict_access){.node = node, .event = event, .own = own};
        n = c->accesses.n;
        for (uint32_t i = c->places.at[place].records; i && !closure_spent(&c->closure) && !late_soon();
             i = c->records.at[i - 1].next)
                if (i - 1 != r)
                        visit(c, i - 1, r, n);
        if (c->records.at[r].last)
                c->accesses.at[c->records.at[r].last - 1].next = n;
        else
                c->records.at[r].first = n;
        c->records.at[r].last = n;
}

/* A pair of write and read, over all executions. */
static void reads_from(struct conflicts *c, uint32_t place, const struct pair_access *what)
{
        uint32_t *known;

        if (race_is_write(what->kind)) {
                c->places.at[place].writer = what->site;
                return;
        }
        known = index_map_at(c->known, conflicts_read_key(c->places.at[place].writer, what->site));
        c->fresh += !*known;
        *known = 1;
}

static uint32_t place_of(struct conflicts *c, uint64_t key, bool make)
{
        uint32_t *i;

        if (!make)
                return index_map_find(&c->place_map, key);
        i = index_map_at(&c->place_map, key);
        if (!*i) {
                vec_need(&c->places, 1);
                *vec_push(&c->places) = (struct conflict_place){0};
                *i = c->places.n;
        }
        return *i;
}

static void access_memory(struct conflicts *c, const struct wire_event *e, uint32_t node, uint32_t event)
{
        struct pair_access what = {.site = e->site, .actor = e->actor, .kind = race_kind_of(e)};
        uint64_t last = (e->obj + e->size - 1) >> 3;

        for (uint64_t g = e->obj >> 3; g <= last; g++) {
                uint32_t place = place_of(c, g, !race_is_end(what.kind));

                if (!place)
                        continue;
                reads_from(c, place - 1, &what);
                access_place(c, place - 1, &what, race_mask(g, e->obj, e->size), node, event);
                if (race_is_end(what.kind)) /* what comes after it is another block */
                        c->places.at[place - 1].records = 0;
        }
}

static void read_entry(struct conflicts *c, uint32_t node, uint32_t event)
{
        const struct wire_event *e = &c->model->trace->events[event];
        struct pair_access what = {.site = e->site, .actor = e->actor};

        if (race_is_access(e) && e->size)
                access_memory(c, e, node, event);
        if (op_object(e->op) != OP_OBJ_COND)
                return;
        what.kind = e->op == OP_COND_WAIT ? PAIR_WAIT : PAIR_SIGNAL;
        if (e->op == OP_COND_WAIT || e->op == OP_COND_SIGNAL || e->op == OP_COND_BROADCAST)
                access_place(c, place_of(c, ~e->obj, true) - 1, &what, 1, node, event);
}

void conflicts_read(struct conflicts *c, const struct model *m)
{
        c->model = m;
        c->closure = (struct closure){.model = m, .limit = EFFORT};
        c->accesses.n = c->records.n = c->places.n = c->states.n = c->set.n = c->alone_set.n = 0;
        c->alone = c->fresh = 0;
        index_map_clear(&c->place_map);
        index_map_clear(&c->state_map);
        vec_need(&c->set, m->width);
        vec_need(&c->alone_set, m->width);
        for (uint32_t i = 0; i < m->nodes.n && !late_soon(); i++)
                for (uint32_t k = 0; k < m->nodes.at[i].n_events; k++)
                        if (m->trace->events[m->nodes.at[i].event + k].actor == m->nodes.at[i].actor)
                                read_entry(c, i, m->nodes.at[i].event + k);
}

void conflicts_fini(struct conflicts *c)
{
        vec_fini(&c->set);
        vec_fini(&c->alone_set);
        vec_fini(&c->accesses);
        vec_fini(&c->records);
        vec_fini(&c->places);
        vec_fini(&c->states);
        index_map_fini(&c->place_map);
        index_map_fini(&c->state_map);
}
