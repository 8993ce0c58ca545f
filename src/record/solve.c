/* See solve.h. */
#include "record/solve.h"

#include <stdlib.h>

#include "base/apart.h"
#include "base/clock.h"
#include "base/vec.h"
#include "op/row.h"
#include "record/events.h"

#define NO_TERM UINT32_MAX

typedef VEC(smt_term) terms;

static void push(terms *to, smt_term t)
{
        vec_need(to, 1);
        *vec_push(to) = t;
}

struct formula {
        struct smt *smt;
        const struct trace *trace;
        enum constraint_kind known;
        struct solved *out;
        double end;      /* of the time for it */
        uint64_t size;   /* terms */
        smt_term *when;  /* of each event of the trace */
        uint64_t *times; /* all ends of windows, in order ... */
        smt_term *
                ticks; /* ... and of each two points: windows that begin there are behind the first, those that end before the second */
        uint32_t n_times;
        struct record_event **writes; /* of the present group, by chain and then in order ... */
        uint32_t *of_chain;           /* ... and the first of each chain */
        uint32_t n_writes;
        const struct record_event *initial; /* read what was there before all of them; NULL: no read did */
        terms any, all;                     /* parts of one constraint */
};

static bool before(const struct formula *f, const struct record_event *a, const struct record_event *b)
{
        return record_event_before(a, b, f->known != CONSTRAINTS_PATHS);
}

static void require(struct formula *f, smt_term t)
{
        f->out->constraints++;
        smt_assert(f->smt, t);
}

/* One event of the trace before another. */
static smt_term first(struct formula *f, uint32_t a, uint32_t b)
{
        f->size++;
        return smt_before(f->smt, f->when[a], f->when[b]);
}

static bool is_full(struct formula *f)
{
        f->out->many |= f->size > SOLVE_MOST;
        return f->out->many;
}

static bool is_memory(const struct wire_event *e)
{
        return op_row(e->op)->object == OP_OBJ_MEMORY;
}

/* The order of each thread, of creations and joins, and of objects that are neither memory nor locks. */
static void order(struct formula *f)
{
        const struct trace *t = f->trace;
        uint32_t last[WIRE_MAX_THREADS], made[WIRE_MAX_THREADS];

        for (uint32_t i = 0; i < WIRE_MAX_THREADS; i++)
                last[i] = made[i] = NO_TERM;
        for (uint32_t i = 0; i < t->n_events && !is_full(f); i++) {
                const struct wire_event *e = &t->events[i];
                uint32_t from = last[e->actor] != NO_TERM ? last[e->actor] : made[e->actor];

                if (from != NO_TERM)
                        require(f, first(f, from, i));
                if ((e->op == OP_CREATE || e->op == OP_JOIN) && e->choice < WIRE_MAX_THREADS) {
                        if (e->op == OP_CREATE)
                                made[e->choice] = i;
                        else if (last[e->choice] != NO_TERM)
                                require(f, first(f, last[e->choice], i));
                }
                last[e->actor] = i;
        }
}

/* Is a lock nothing but taken and given back? */
static bool is_plain_lock(const struct trace *t, uint64_t object)
{
        for (uint32_t i = 0; i < t->n_events; i++) {
                const struct op_row *row = op_row(t->events[i].op);
                if (t->events[i].obj == object && !is_memory(&t->events[i]) &&
                    ((row->order != OP_TAKES && row->order != OP_GIVES) || t->events[i].flags & WIRE_EV_FAILED))
                        return false;
        }
        return true;
}

/* Operations on one object as they were. */
static void keep_order(struct formula *f, uint64_t object, uint32_t from)
{
        uint32_t last = NO_TERM;

        for (uint32_t i = from; i < f->trace->n_events && !is_full(f); i++) {
                const struct wire_event *e = &f->trace->events[i];
                if (e->obj != object || is_memory(e) || e->mode == WIRE_MODE_NONE)
                        continue;
                if (last != NO_TERM && f->trace->events[last].actor != e->actor)
                        require(f, first(f, last, i));
                last = i;
        }
}

static void keep_objects(struct formula *f)
{
        for (uint32_t i = 0; i < f->trace->n_events && !is_full(f); i++) {
                const struct wire_event *e = &f->trace->events[i];
                bool seen = is_memory(e) || e->mode == WIRE_MODE_NONE;
                for (uint32_t k = 0; k < i && !seen; k++)
                        seen = f->trace->events[k].obj == e->obj && !is_memory(&f->trace->events[k]);
                if (!seen && !is_plain_lock(f->trace, e->obj))
                        keep_order(f, e->obj, i);
        }
}

static int by_number(const void *a, const void *b)
{
        uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

        return x < y ? -1 : x > y;
}

static uint32_t tick_of(const struct formula *f, uint64_t time)
{
        const uint64_t *at = bsearch(&time, f->times, f->n_times, sizeof *f->times, by_number);

        return (uint32_t)(at - f->times) * 2;
}

/* A window that ends before another begins: their events are in that order. */
static void windows(struct formula *f, const struct record_events *all)
{
        uint32_t n = 0;

        for (uint32_t i = 0; i < all->n; i++) {
                f->times[f->n_times++] = all->at[i].from;
                f->times[f->n_times++] = all->at[i].until;
        }
        qsort(f->times, f->n_times, sizeof *f->times, by_number);
        for (uint32_t i = 0; i < f->n_times; i++)
                if (!n || f->times[n - 1] != f->times[i])
                        f->times[n++] = f->times[i];
        f->n_times = n;
        for (uint32_t i = 0; i < 2 * n; i++) {
                f->ticks[i] = smt_time(f->smt);
                if (i)
                        require(f, smt_before(f->smt, f->ticks[i - 1], f->ticks[i]));
        }
        for (uint32_t i = 0; i < all->n; i++) {
                smt_term e = f->when[all->at[i].number];
                require(f, smt_before(f->smt, f->ticks[tick_of(f, all->at[i].from)], e));
                require(f, smt_before(f->smt, e, f->ticks[tick_of(f, all->at[i].until) + 1]));
        }
        f->size += 4 * (uint64_t)all->n;
}

/* The write comes before the other one, or the read does: the read does not see it. */
static void keep_out(struct formula *f, const struct record_event *w, const struct record_event *r,
                     const struct record_event *o)
{
        smt_term either[2];
        uint32_t n = 0;

        if (o == w || o == r || before(f, r, o) || (w && before(f, o, w)))
                return;
        either[n++] = first(f, r->number, o->number);
        if (w && !before(f, w, o))
                either[n++] = first(f, o->number, w->number);
        push(&f->all, n == 1 ? either[0] : smt_or(f->smt, n, either));
}

/* All writes of a chain: it has one place for both, between two of them (algorithm 12). */
static void keep_chain_out(struct formula *f, const struct record_event *w, const struct record_event *r,
                           uint32_t chain)
{
        struct record_event **at = &f->writes[f->of_chain[chain]], *last = NULL;
        uint32_t n = f->of_chain[chain + 1] - f->of_chain[chain], begin = f->any.n;

        for (uint32_t i = 0; i < n; i++) {
                struct record_event *o = at[i];
                smt_term both[2];
                uint32_t k = 0;

                if (o == w || o == r || (w && before(f, o, w)))
                        continue;
                if (before(f, r, o))
                        break;
                if (last && (!w || before(f, w, last)))
                        break;
                if (last && !before(f, last, w))
                        both[k++] = first(f, last->number, w->number);
                both[k++] = first(f, r->number, o->number);
                push(&f->any, k == 1 ? both[0] : smt_and(f->smt, k, both));
                last = o;
        }
        if (last && w && !before(f, w, last))
                push(&f->any, first(f, last->number, w->number));
        if (f->any.n > begin)
                push(&f->all, smt_or(f->smt, f->any.n - begin, &f->any.at[begin]));
        f->any.n = begin;
}

/* The read reads from this write, NULL: from none. */
static smt_term reads_from(struct formula *f, const struct record_group *g, const struct record_event *w,
                           const struct record_event *r)
{
        uint32_t begin = f->all.n;
        smt_term made;

        if (w && !before(f, w, r))
                push(&f->all, first(f, w->number, r->number));
        if (f->known == CONSTRAINTS_CHAINS) {
                for (uint32_t i = 0; i < g->chains; i++)
                        keep_chain_out(f, w, r, i);
        } else {
                for (uint32_t i = 0; i < f->n_writes; i++)
                        keep_out(f, w, r, f->writes[i]);
        }
        f->out->constraints += f->all.n - begin;
        made = smt_and(f->smt, f->all.n - begin, &f->all.at[begin]);
        f->all.n = begin;
        return made;
}

static uint64_t value_of(const struct formula *f, const struct record_event *w)
{
        return f->trace->events[w->number].value;
}

/* Does a read that gets what `from` wrote (NULL: what was there before) get the same from `w` (NULL: the same)? */
static bool is_same(const struct formula *f, const struct record_event *from, const struct record_event *w)
{
        if (from == w)
                return true;
        if (!from || !w)
                return f->initial && value_of(f, f->initial) == value_of(f, from ? from : w);
        return value_of(f, w) == value_of(f, from);
}

static void read_value(struct formula *f, const struct record_group *g, const struct record_event *r,
                       const struct record_event *from)
{
        uint32_t begin = f->any.n;

        if (is_same(f, from, NULL))
                push(&f->any, reads_from(f, g, NULL, r));
        for (uint32_t i = 0; i < f->n_writes && !is_full(f); i++) {
                const struct record_event *w = f->writes[i];
                if (w == r || before(f, r, w) || !is_same(f, from, w))
                        continue;
                smt_term one = reads_from(f, g, w, r);
                push(&f->any, one);
        }
        smt_assert(f->smt, smt_or(f->smt, f->any.n - begin, &f->any.at[begin]));
        f->any.n = begin;
}

static void sections(struct formula *f, const struct record_group *g)
{
        for (uint32_t i = 0; i < g->n; i++)
                for (uint32_t k = 0; k < i && !is_full(f); k++) {
                        const struct record_event *a = &g->at[i], *b = &g->at[k];
                        smt_term either[2];
                        uint32_t n = 0;

                        if (a->thread == b->thread || before(f, a, b) || before(f, b, a))
                                continue;
                        if (a->gives != EVENTS_NONE)
                                either[n++] = first(f, a->gives, b->number);
                        if (b->gives != EVENTS_NONE)
                                either[n++] = first(f, b->gives, a->number);
                        if (n)
                                require(f, smt_or(f->smt, n, either));
                }
}

/* The writes of a group by chain; in the order of the trace where there is one list of them. */
static void sort_writes(struct formula *f, const struct record_group *g)
{
        f->n_writes = 0;
        for (uint32_t k = 0; k < g->chains; k++) {
                f->of_chain[k] = f->n_writes;
                for (uint32_t i = 0; i < g->n; i++)
                        if (g->at[i].writes && g->at[i].chain == k)
                                f->writes[f->n_writes++] = &g->at[i];
        }
        f->of_chain[g->chains] = f->n_writes;
}

static void group(struct formula *f, const struct record_group *g)
{
        const struct record_event *from = NULL;

        if (g->at->lock) {
                if (is_plain_lock(f->trace, g->at->object))
                        sections(f, g);
                return;
        }
        sort_writes(f, g);
        f->initial = g->at->reads && !g->at->writes ? g->at : NULL;
        for (uint32_t i = 0; i < g->n && !is_full(f); i++) {
                if (g->at[i].reads)
                        read_value(f, g, &g->at[i], from);
                if (g->at[i].writes)
                        from = &g->at[i];
        }
}

static void ask(struct formula *f, const struct record_events *all)
{
        struct record_group g = {0};
        double begun;

        for (uint32_t i = 0; i < f->trace->n_events; i++)
                f->when[i] = smt_time(f->smt);
        order(f);
        keep_objects(f);
        if (f->known != CONSTRAINTS_PATHS)
                windows(f, all);
        while (!is_full(f) && record_events_group(all, &g))
                group(f, &g);
        begun = clock_now();
        if (is_full(f) || begun >= f->end)
                return;
        smt_limit(f->smt, (uint32_t)(1000 * (f->end - begun)) + 1);
        f->out->answer = smt_check(f->smt);
        f->out->seconds = clock_now() - begun;
}

static int solve(struct solved *s, const struct recording *r, const struct trace *t, const uint32_t *bits,
                 enum constraint_kind known, double seconds)
{
        struct record_events all;
        struct formula f = {.smt = smt_create(0), .trace = t, .known = known, .out = s, .end = clock_now() + seconds};
        int err = record_events_make(&all, r, t, bits);

        f.when = calloc(t->n_events + 1, sizeof *f.when);
        f.times = calloc(2 * (size_t)all.n + 1, sizeof *f.times);
        f.ticks = calloc(4 * (size_t)all.n + 1, sizeof *f.ticks);
        f.writes = calloc(all.n + 1, sizeof *f.writes);
        f.of_chain = calloc(all.n + 2, sizeof *f.of_chain);
        if (err || !f.smt || !f.when || !f.times || !f.ticks || !f.writes || !f.of_chain)
                err = -1;
        else
                ask(&f, &all);
        smt_destroy(f.smt);
        free(f.when);
        free(f.times);
        free(f.ticks);
        free(f.writes);
        free(f.of_chain);
        vec_fini(&f.any);
        vec_fini(&f.all);
        record_events_fini(&all);
        return err;
}

struct question {
        const struct recording *recording;
        const struct trace *trace;
        const uint32_t *bits;
        enum constraint_kind known;
        double seconds;
};

struct answer {
        struct solved solved;
        int err;
};

static void answer(void *arg, void *result)
{
        const struct question *q = arg;
        struct answer *a = result;

        a->err = solve(&a->solved, q->recording, q->trace, q->bits, q->known, q->seconds);
}

int record_solve(struct solved *s, const struct recording *r, const struct trace *t, const uint32_t *bits,
                 enum constraint_kind known, double seconds)
{
        struct question q = {r, t, bits, known, seconds};
        struct answer a = {{.answer = SMT_UNKNOWN}, 0};

        if (apart_run(answer, &q, &a, sizeof a, seconds + SOLVE_GRACE) < 0)
                return -1;
        *s = a.solved;
        return a.err;
}
