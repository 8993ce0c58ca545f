/*
 * The walk.  A store is stale if what it was computed from, or the condition that led to it, was read before another thread
 * changed it and the store happened after.  Positions are those of the program: under weak memory a store counts where its
 * thread made it, so a pattern that is found explains the failure without the buffers.
 */
#include "report/cause/walk.h"

#include "op/op.h"

static const struct wire_event *event(const struct walk *w, uint32_t i)
{
        return &w->v->t->events[i];
}

bool walk_found(struct walk *w, enum cause_pattern pattern, uint32_t check, uint32_t foreign, uint32_t act)
{
        struct cause *c = w->c;

        c->pattern = pattern;
        c->check = check;
        c->foreign = foreign;
        c->act = act;
        c->object = event(w, check)->obj;
        c->object_op = OP_READ;
        cause_add(c, check);
        cause_add(c, foreign);
        cause_add(c, act);
        if (w->anchor != VIEW_NONE)
                cause_add(c, w->anchor);
        return true;
}

/* Weak memory: a store that waits in its buffer while another thread can tell. */
static void note_late(struct walk *w, uint32_t store)
{
        struct cause *c = w->c;

        if (store == DELAYS_NONE || !(event(w, store)->weak & WIRE_WEAK_BUFFERED))
                return;
        for (uint32_t i = 0; i < c->n_stores; i++)
                if (c->stores[i] == store)
                        return;
        if (c->n_stores < CAUSE_MAX_STORES)
                c->stores[c->n_stores++] = store;
}

static void visit_later(struct walk *w, uint32_t store)
{
        for (uint32_t i = 0; i < w->n; i++)
                if (w->stores[i] == store)
                        return;
        if (w->n < WALK_STORES)
                w->stores[w->n++] = store;
}

/* The store that decided read r is to be visited; and those that were made after it and that it overwrote nevertheless, when it
 * left its buffer. */
void walk_follow(struct walk *w, uint32_t r)
{
        uint32_t store = view_decider(w->v, r), reached;

        note_late(w, delays_of(w->v->d, r).past);
        if (store == VIEW_NONE)
                return;
        if (delays_of(w->v->d, store).past != DELAYS_NONE)
                note_late(w, store);
        visit_later(w, store);
        reached = delays_of(w->v->d, store).pair;
        if (!(event(w, store)->weak & WIRE_WEAK_BUFFERED) || reached == DELAYS_NONE)
                return;
        for (uint32_t i = store + 1; i < reached; i++)
                if (view_stores(w->v, i) && view_overlap(w->v, i, store))
                        visit_later(w, i);
}

bool walk_differ(const struct view *v, uint32_t a, uint32_t b)
{
        uint64_t x, y;

        return !view_value(v, a, &x) || !view_value(v, b, &y) || x != y;
}

/* Does this thread come out of a wait on a condition variable in (from, to)? */
static bool waits_between(const struct view *v, uint32_t actor, uint32_t from, uint32_t to)
{
        for (uint32_t i = from + 1; i < to; i++)
                if (v->t->events[i].actor == actor && op_has(v->t->events[i].op, OPF_RELOCKS))
                        return true;
        return false;
}

/* A compare-and-swap succeeds though the memory has changed, and changed back, since its thread read it. */
static bool is_aba(struct walk *w, uint32_t cas)
{
        const struct view *v = w->v;
        uint32_t actor = event(w, cas)->actor, read = cas, changed;

        while (read-- > 0)
                if (event(w, read)->actor == actor && view_reads(v, read) && view_overlap(v, read, cas))
                        break;
        if (read == UINT32_MAX)
                return false;
        changed = view_foreign(v, actor, cas, read, cas);
        if (changed == VIEW_NONE || walk_differ(v, read, changed))
                return false;
        for (uint32_t i = read + 1; i < changed; i++)
                if (event(w, i)->actor != actor && view_stores(v, i) && view_overlap(v, i, cas) &&
                    walk_differ(v, i, read)) {
                        cause_add(w->c, i);
                        return walk_found(w, CAUSE_ABA, read, changed, cas);
                }
        return false;
}

/* The condition that `check` read does not hold any more when its thread acts. */
bool walk_stale(struct walk *w, uint32_t check, uint32_t act)
{
        uint32_t actor = event(w, check)->actor;
        uint32_t foreign = view_foreign(w->v, actor, check, check, act);

        if (event(w, check)->op == OP_CAS && view_stores(w->v, check) && is_aba(w, check))
                return true;
        if (foreign == VIEW_NONE || !view_reads(w->v, check))
                return false;
        if (waits_between(w->v, actor, check, act))
                return !walk_differ(w->v, check, foreign) && walk_found(w, CAUSE_MISSING_RECHECK, check, foreign, act);
        return walk_differ(w->v, check, foreign) && walk_found(w, CAUSE_CHECK_THEN_ACT, check, foreign, act);
}

bool walk_decides(struct view *v, uint32_t i)
{
        struct view_place p;
        const char *text = view_place(v, i, &p) ? view_line(v, &p, p.at.line) : NULL;

        return text && source_decides(text);
}

static bool is_lost_update(struct walk *w, uint32_t store, const struct inputs *values)
{
        uint32_t actor = event(w, store)->actor;

        for (uint32_t i = 0; i < values->n; i++) {
                uint32_t r = values->at[i], foreign;
                if (!view_overlap(w->v, r, store))
                        continue;
                foreign = view_foreign(w->v, actor, r, r, store);
                if (foreign != VIEW_NONE)
                        return walk_found(w, walk_decides(w->v, r) ? CAUSE_CHECK_THEN_ACT : CAUSE_LOST_UPDATE, r,
                                          foreign, store);
        }
        return false;
}

static bool visit(struct walk *w, uint32_t k)
{
        uint32_t store = w->stores[k], actor = event(w, store)->actor;
        struct inputs values = {.n = 0}, conditions = {.n = 0};
        struct view_place p;
        bool atomic = event(w, store)->op == OP_RMW || event(w, store)->op == OP_CAS;

        if (!view_place(w->v, store, &p))
                return false;
        inputs_values(w->v, actor, store, &p, &values);
        inputs_conditions(w->v, actor, store, &p, &conditions);
        if (event(w, store)->op == OP_CAS && is_aba(w, store))
                return true;
        if (!atomic && is_lost_update(w, store, &values))
                return true;
        for (uint32_t i = 0; i < conditions.n; i++)
                if (walk_stale(w, conditions.at[i], store))
                        return true;
        if (atomic)
                walk_follow(w, store); /* what it read, too */
        for (uint32_t i = 0; i < values.n; i++)
                walk_follow(w, values.at[i]);
        for (uint32_t i = 0; i < conditions.n; i++)
                walk_follow(w, conditions.at[i]);
        return false;
}

bool walk_visit(struct walk *w)
{
        for (uint32_t k = 0; k < w->n; k++)
                if (visit(w, k))
                        return true;
        return false;
}

bool cause_store(struct view *v, struct cause *c, uint32_t store)
{
        struct walk w = {.v = v, .c = c, .n = 1, .anchor = VIEW_NONE};

        w.stores[0] = store;
        return walk_visit(&w);
}

bool cause_conditions(struct view *v, struct cause *c, uint32_t entry)
{
        struct walk w = {.v = v, .c = c, .anchor = VIEW_NONE};
        struct inputs in = {.n = 0};
        struct view_place p;

        if (!view_place(v, entry, &p))
                return false;
        inputs_values(v, v->t->events[entry].actor, entry, &p, &in);
        inputs_conditions(v, v->t->events[entry].actor, entry, &p, &in);
        for (uint32_t i = 0; i < in.n; i++)
                if (walk_stale(&w, in.at[i], entry))
                        return true;
        for (uint32_t i = 0; i < in.n; i++)
                walk_follow(&w, in.at[i]);
        return walk_visit(&w);
}
