/*
 * SCALE's exploration: a frontier of transitions to be run, an order to pick them in, and a chain of state filters (seed
 * 001, chapter 4, algorithm 2).
 *
 * A state is represented by the happens-before graph of the transitions that led to it.  An execution is run from the
 * picked transition on to its end, and every state on the way is reached: from each one that all filters let pass, all
 * enabled actors but the one that was taken go to the frontier.  The first state that a filter stops ends that: what comes
 * after it in the trace is, or will be, run from where it was reached first.
 *
 * The hash of a graph is the sum of the hashes of its transitions, and that of a transition is made of its actor, its
 * footprint and the hashes of the last transitions of each actor that happen before it.  An actor whose transition comes
 * later in the trace would perform the same operation now: so the state after it is foreseen, and need not be run to be
 * recognised.
 *
 * Left out: stored states, and sharing: --save and --jobs are refused.
 */
#include "explore/filters.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "explore/causality.h"
#include "explore/frontier.h"
#include "op/op.h"

struct filters {
        struct strategy base;
        struct causality causality;
        struct frontier frontier;
        struct filter *chain[FILTER_MAX];
        uint32_t n_chain;
        VEC(uint64_t) hashes;     /* of the transitions of the trace */
        VEC(uint32_t) entries;    /* ... and where each begins */
        struct frontier_entry at; /* the one picked last; its path is held */
        bool started, given;
};

static uint64_t mix(uint64_t h, uint64_t v)
{
        h = (h ^ v) * UINT64_C(0x9fb21c651e98df25);
        return h ^ h >> 32;
}

/* next() */

static bool wanted(struct filters *f, const struct filter_state *s)
{
        for (uint32_t i = 0; i < f->n_chain; i++)
                if (!f->chain[i]->ops->wanted(f->chain[i], s))
                        return false;
        return true;
}

/* What was foreseen when it was added may have been reached meanwhile. */
static bool pick(struct filters *f)
{
        while (frontier_pick(&f->frontier, &f->at)) {
                if (wanted(f, &f->at.state))
                        return true;
                frontier_put(&f->frontier, f->at.path);
        }
        return false;
}

static int filters_next(struct strategy *base, struct schedule *out)
{
        struct filters *f = (struct filters *)base;
        uint32_t n;

        if (f->started && !f->given && !pick(f))
                return 0;
        f->given = true;
        out->n_sleep = out->n_prefix = 0;
        out->tail = WIRE_TAIL_RUN_TO_BLOCK;
        out->flags = WIRE_WANT_ENABLED;
        if (!f->started)
                return 1;
        n = f->at.path == FRONTIER_ROOT ? 0 : f->frontier.links.at[f->at.path].depth + 1;
        out->prefix[n] = (struct wire_decision){.actor = f->at.actor, .choice = f->at.choice};
        out->n_prefix = n + 1;
        for (uint32_t l = f->at.path; l != FRONTIER_ROOT; l = f->frontier.links.at[l].parent)
                out->prefix[--n] = f->frontier.links.at[l].decision;
        return 1;
}

/* learn() */

static bool no_race(void *arg, uint32_t i, uint32_t actor, const uint32_t *past)
{
        (void)arg, (void)i, (void)actor, (void)past;
        return true;
}

/* Of a transition with these entries and this past, the actor's own being the transition `prev`. */
static uint64_t hash_of(const struct filters *f, const struct wire_event *e, uint32_t n, const uint32_t *clock, uint32_t prev)
{
        uint64_t h = mix(e->actor, prev == CAUSALITY_NONE ? 0 : f->hashes.at[prev]);

        for (uint32_t i = 0; i < n; i++)
                h = mix(mix(mix(h, e[i].obj), (uint64_t)e[i].size << 16 | e[i].op << 8 | e[i].mode), e[i].choice);
        for (uint32_t r = 0; r < f->causality.stride; r++)
                if (r != e->actor && clock[r])
                        h = mix(mix(h, r), f->hashes.at[clock[r] - 1]);
        return h;
}

static uint32_t length(const struct trace *t, uint32_t from)
{
        uint32_t n = 1;

        while (from + n < t->n_events && !(t->events[from + n].flags & WIRE_EV_SCHED))
                n++;
        return n;
}

static int take_in(struct filters *f, const struct trace *t)
{
        uint32_t at = 0, n;

        causality_reset(&f->causality);
        f->hashes.n = f->entries.n = 0;
        if (!vec_reserve(&f->hashes, t->n_transitions + 1) || !vec_reserve(&f->entries, t->n_transitions + 1))
                return -ENOMEM;
        while (at < t->n_events && !(t->events[at].flags & WIRE_EV_SCHED))
                at++;
        if (!causality_prologue(&f->causality, t->events, at))
                return -ENOMEM;
        for (uint32_t k = 0; at < t->n_events; at += n, k++) {
                n = length(t, at);
                if (!causality_push(&f->causality, &t->events[at], n, no_race, NULL))
                        return -ENOMEM;
                uint64_t h = hash_of(f, &t->events[at], n, causality_clock(&f->causality, k),
                                     f->causality.trans.at[k].prev);
                *vec_push(&f->entries) = at;
                *vec_push(&f->hashes) = h;
        }
        return 0;
}

/* The actor's next transition from k on, or CAUSALITY_NONE. */
static uint32_t next_of(const struct filters *f, uint32_t actor, uint32_t k)
{
        const struct causality_list *all;
        uint32_t lo = 0, hi;

        if (actor >= f->causality.stride)
                return CAUSALITY_NONE;
        all = &f->causality.actors[actor].all;
        for (hi = all->n; lo < hi;) {
                uint32_t mid = lo + (hi - lo) / 2;
                if (all->at[mid] >= k)
                        hi = mid;
                else
                        lo = mid + 1;
        }
        return lo < all->n ? all->at[lo] : CAUSALITY_NONE;
}

static void join(const struct filters *f, uint32_t *to, uint32_t trans)
{
        const uint32_t *from = causality_clock(&f->causality, trans);

        for (uint32_t i = 0; i < f->causality.stride; i++)
                to[i] = from[i] > to[i] ? from[i] : to[i];
}

static bool conflict(const struct trace *t, uint32_t a, uint32_t n, uint32_t b, uint32_t m)
{
        for (uint32_t i = a; i < a + n; i++)
                for (uint32_t k = b; k < b + m; k++) {
                        const struct wire_event *x = &t->events[i], *y = &t->events[k];
                        if (x->obj < y->obj + y->size && y->obj < x->obj + x->size &&
                            op_modes_conflict(x->mode, y->mode))
                                return true;
                }
        return false;
}

/* How much of a transition there would be from the state before k: a thread that joins one that has ended goes on at
 * once to join the next, if that has ended too. */
static uint32_t length_before(const struct filters *f, const struct trace *t, uint32_t at, uint32_t k)
{
        uint32_t n = length(t, at);

        for (uint32_t i = 1; i < n; i++)
                if (t->events[at + i].op == OP_JOIN && next_of(f, t->events[at + i].choice, k) != CAUSALITY_NONE)
                        return i;
        return n;
}

/* What the transition j of the trace would be from the state before k: its hash.  It may be wrong where footprints depend
 * on data, or conflicting operations commute.  Then it is the hash of no state that was reached: one that has the same
 * graph, less this transition, would have shown what the transition really is. */
static uint64_t foresee(const struct filters *f, const struct trace *t, uint32_t j, uint32_t k)
{
        const struct causality *c = &f->causality;
        const uint32_t *late = causality_clock(c, j);
        uint32_t at = f->entries.at[j], n = length_before(f, t, at, k), prev = c->trans.at[j].prev, clock[c->stride];
        bool same = true;

        for (uint32_t r = 0; r < c->stride; r++)
                same = same && (r == t->events[at].actor || late[r] <= k);
        if (same)
                return hash_of(f, &t->events[at], n, late, prev);
        memset(clock, 0, sizeof clock);
        if (prev != CAUSALITY_NONE)
                join(f, clock, prev);
        for (uint32_t r = 0; r < c->stride; r++)
                if (r != t->events[at].actor && late[r] && late[r] <= k)
                        join(f, clock, late[r] - 1);
        for (uint32_t i = 0; i < k; i++)
                if (conflict(t, at, n, f->entries.at[i], length(t, f->entries.at[i])))
                        join(f, clock, i);
        return hash_of(f, &t->events[at], n, clock, prev);
}

/* A way on from the state before transition k that the trace did not take. */
static bool add(struct filters *f, const struct trace *t, uint32_t path, uint32_t k, uint64_t hash, uint32_t actor,
                uint32_t choice, bool preempts)
{
        struct frontier_entry e = {.path = path, .actor = (uint16_t)actor, .choice = choice, .state = {.depth = k + 1}};
        uint32_t next = choice == WIRE_NO_CHOICE ? next_of(f, actor, k) : CAUSALITY_NONE;

        if (next != CAUSALITY_NONE) {
                e.state.known = true;
                e.state.hash = hash + foresee(f, t, next, k);
        }
        return !wanted(f, &e.state) || frontier_add(&f->frontier, &e, preempts);
}

static bool is_enabled(const struct trace *t, uint32_t k, uint32_t actor)
{
        const uint64_t *set = t->enabled + (size_t)k * t->enabled_words;

        return actor < t->enabled_words * 64 && set[actor / 64] >> (actor % 64) & 1;
}

static bool add_all(struct filters *f, const struct trace *t, uint32_t k, uint32_t path, uint64_t hash)
{
        const struct wire_event *e = &t->events[f->entries.at[k]];
        uint32_t last = k ? t->events[f->entries.at[k - 1]].actor : e->actor;
        bool goes_on = is_enabled(t, k, last);

        for (uint32_t a = t->enabled_words * 64; a-- > 0;)
                if (a != e->actor && is_enabled(t, k, a) &&
                    !add(f, t, path, k, hash, a, WIRE_NO_CHOICE, goes_on && a != last))
                        return false;
        return true;
}

static int reached(struct filters *f, const struct filter_state *s)
{
        int r = 1;

        for (uint32_t i = 0; i < f->n_chain && r > 0; i++)
                r = f->chain[i]->ops->reached(f->chain[i], s);
        return r;
}

/* Goes down the trace from the picked transition.  `path` is the link before transition k, held. */
static int expand(struct filters *f, const struct trace *t, uint32_t k, uint32_t path)
{
        bool fresh = !f->started; /* the root is reached once */
        uint64_t hash = 0;
        int r = 1;

        for (uint32_t i = 0; i < k; i++)
                hash += f->hashes.at[i];
        for (; k < t->n_transitions && r > 0; k++) {
                const struct wire_event *e = &t->events[f->entries.at[k]];
                struct wire_decision d = {.actor = e->actor, .op = e->op, .choice = e->choice, .obj = e->obj};
                uint32_t last = k ? t->events[f->entries.at[k - 1]].actor : e->actor, link;

                if (fresh && !add_all(f, t, k, path, hash))
                        r = -ENOMEM;
                if (r > 0 && e->next_choice != WIRE_NO_CHOICE && !add(f, t, path, k, hash, e->actor, e->next_choice, false))
                        r = -ENOMEM;
                link = frontier_link(&f->frontier, path, &d, last != e->actor && is_enabled(t, k, last));
                frontier_put(&f->frontier, path);
                path = link;
                if (link == FRONTIER_ROOT)
                        return -ENOMEM;
                hash += f->hashes.at[k];
                fresh = true;
                if (r > 0)
                        r = reached(f, &(struct filter_state){.hash = hash, .depth = k + 1, .known = true});
        }
        frontier_put(&f->frontier, path);
        return r < 0 ? -ENOMEM : 0;
}

static int filters_learn(struct strategy *base, const struct trace *t)
{
        struct filters *f = (struct filters *)base;
        uint32_t k = 0, path = FRONTIER_ROOT;
        int r;

        if (t->n_transitions && (!t->enabled || !t->enabled_words))
                return -EINVAL;
        if (f->started) {
                path = f->at.path;
                k = path == FRONTIER_ROOT ? 0 : f->frontier.links.at[path].depth + 1;
        }
        r = take_in(f, t);
        if (!r && f->started && k >= f->entries.n)
                r = t->end == WIRE_END_FAILED ? 0 : -EINVAL;
        else if (!r)
                r = expand(f, t, k, path);
        f->started = true;
        f->given = false;
        return r;
}

static uint32_t filters_known(const struct strategy *base)
{
        (void)base;
        return 0;
}

static void filters_reset(struct strategy *base)
{
        struct filters *f = (struct filters *)base;

        frontier_reset(&f->frontier);
        for (uint32_t i = 0; i < f->n_chain; i++)
                f->chain[i]->ops->reset(f->chain[i]);
        f->started = f->given = false;
}

static void filters_destroy(struct strategy *base)
{
        struct filters *f = (struct filters *)base;

        causality_fini(&f->causality);
        frontier_fini(&f->frontier);
        for (uint32_t i = 0; i < f->n_chain; i++)
                f->chain[i]->ops->destroy(f->chain[i]);
        vec_fini(&f->hashes);
        vec_fini(&f->entries);
        free(f);
}

static const struct strategy_ops filters_ops = {
        .name = "filters",
        .next = filters_next,
        .learn = filters_learn,
        .known = filters_known,
        .reset = filters_reset,
        .destroy = filters_destroy,
};

struct strategy *filters_create(const struct config *config)
{
        static const char *const usual[] = {"seen"};
        uint32_t n = config->n_filters ? config->n_filters : 1;
        const char *const *names = config->n_filters ? config->filters : usual;
        struct filters *f = calloc(1, sizeof *f);

        if (!f)
                return NULL;
        f->base.ops = &filters_ops;
        frontier_init(&f->frontier, config->order, config->seed);
        for (uint32_t i = 0; i < n && i < FILTER_MAX; i++) {
                const struct filter_ops *ops = filter_find(names[i]);
                f->chain[i] = ops ? ops->create(config) : NULL;
                if (!f->chain[i])
                        break;
                f->n_chain++;
        }
        if (f->n_chain == n && causality_init(&f->causality))
                return &f->base;
        filters_destroy(&f->base);
        return NULL;
}
