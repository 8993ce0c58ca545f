/*
 * The objects that a random schedule may care about (rt/sched/tail.c, WIRE_TAIL_FOCUS), after Zhao, Wolff, Mathur, Roychoudhury:
 * Selectively uniform concurrency testing, ASPLOS 2025.  What one object goes through is drawn uniformly from all orders, for
 * which it must be known how often each thread uses it: as often as in those before, at most.  A wrong guess makes some
 * orders more probable than others, and none impossible.
 *
 * Departures: the object is not drawn; each has its turn, and those that are used least come first, since what is used
 * often is mostly noise.  A transition counts as a use of the object that it begins with.
 */
#include "strategy/object_focus.h"

#include <stdlib.h>
#include <string.h>

void object_focus_fini(struct object_focus *f)
{
        vec_fini(&f->uses);
        vec_fini(&f->now);
        vec_fini(&f->both);
        vec_fini(&f->objects);
        vec_fini(&f->weights);
}

void object_focus_reset(struct object_focus *f)
{
        f->uses.n = f->objects.n = 0;
}

static int by_object(const void *a, const void *b)
{
        const struct focus_use *x = a, *y = b;

        if (x->obj != y->obj)
                return x->obj < y->obj ? -1 : 1;
        return x->actor < y->actor ? -1 : x->actor > y->actor;
}

/* Objects are numbered as they lie in memory, so equal counts come in that order. */
static int by_count(const void *a, const void *b)
{
        const struct focus_object *x = a, *y = b;

        if (x->count != y->count)
                return x->count < y->count ? -1 : 1;
        return x->first < y->first ? -1 : x->first > y->first;
}

/* The objects among the uses. */
static bool rank(struct object_focus *f)
{
        f->objects.n = 0;
        for (uint32_t i = 0, n; i < f->uses.n; i += n) {
                struct focus_object o = {.first = i};
                uint32_t writes = 0;

                for (n = 0; i + n < f->uses.n && f->uses.at[i + n].obj == f->uses.at[i].obj; n++) {
                        o.count += f->uses.at[i + n].count;
                        writes += f->uses.at[i + n].writes;
                }
                o.n = n;
                if (n < 2 || !writes)
                        continue;
                if (!vec_reserve(&f->objects, 1))
                        return false;
                *vec_push(&f->objects) = o;
        }
        if (f->objects.n)
                qsort(f->objects.at, f->objects.n, sizeof *f->objects.at, by_count);
        return true;
}

/* What this execution uses, in the order of by_object(). */
static bool take(struct object_focus *f, const struct trace *t)
{
        uint32_t n = 0;

        f->now.n = 0;
        if (!vec_reserve(&f->now, t->n_events))
                return false;
        for (uint32_t i = 0; i < t->n_events; i++) {
                const struct wire_event *e = &t->events[i];

                if ((e->flags & WIRE_EV_SCHED) && e->mode != WIRE_MODE_NONE)
                        *vec_push(&f->now) = (struct focus_use){
                                .obj = e->obj, .actor = e->actor, .count = 1, .writes = e->mode == WIRE_MODE_WRITE};
        }
        if (f->now.n)
                qsort(f->now.at, f->now.n, sizeof *f->now.at, by_object);
        for (uint32_t i = 0; i < f->now.n; i++) {
                struct focus_use u = f->now.at[i];

                if (n && !by_object(&f->now.at[n - 1], &u)) {
                        f->now.at[n - 1].count++;
                        f->now.at[n - 1].writes += u.writes;
                } else {
                        f->now.at[n++] = u;
                }
        }
        f->now.n = n;
        return true;
}

static uint32_t most(uint32_t a, uint32_t b)
{
        return a > b ? a : b;
}

bool object_focus_learn(struct object_focus *f, const struct trace *t)
{
        uint32_t i = 0, k = 0;

        if (!take(f, t) || !vec_reserve(&f->both, f->uses.n + f->now.n))
                return false;
        for (f->both.n = 0; i < f->uses.n || k < f->now.n;) {
                const struct focus_use *a = i < f->uses.n ? &f->uses.at[i] : NULL;
                const struct focus_use *b = k < f->now.n ? &f->now.at[k] : NULL;
                int order = !a ? 1 : !b ? -1 : by_object(a, b);
                struct focus_use u = order <= 0 ? *a : *b;

                if (!order) {
                        u.count = most(a->count, b->count);
                        u.writes = most(a->writes, b->writes);
                }
                *vec_push(&f->both) = u;
                i += order <= 0;
                k += order >= 0;
        }
        f->uses.n = 0;
        if (!vec_reserve(&f->uses, f->both.n))
                return false;
        if (f->both.n)
                memcpy(f->uses.at, f->both.at, f->both.n * sizeof *f->both.at);
        f->uses.n = f->both.n;
        return rank(f);
}

void object_focus_set(struct object_focus *f, uint64_t n, struct schedule *out)
{
        const struct focus_object *o;

        out->n_weights = 0;
        if (!f->objects.n)
                return;
        o = &f->objects.at[n % f->objects.n];
        uint32_t actors = f->uses.at[o->first + o->n - 1].actor + 1;
        f->weights.n = 0;
        if (!vec_reserve(&f->weights, actors)) /* then none is checked */
                return;
        memset(f->weights.at, 0, actors * sizeof *f->weights.at);
        for (uint32_t k = 0; k < o->n; k++)
                f->weights.at[f->uses.at[o->first + k].actor] = f->uses.at[o->first + k].count;
        out->focus = f->uses.at[o->first].obj;
        out->weights = f->weights.at;
        out->n_weights = actors;
}

void object_focus_save(const struct object_focus *f, struct stream *out)
{
        stream_put_array(out, f->uses.at, f->uses.n, sizeof *f->uses.at);
}

bool object_focus_load(struct object_focus *f, struct stream *in)
{
        uint32_t n = stream_get_count(in, UINT32_MAX - 1, sizeof *f->uses.at);

        object_focus_reset(f);
        if (in->failed || !vec_reserve(&f->uses, n))
                return false;
        stream_get(in, f->uses.at, n * sizeof *f->uses.at);
        f->uses.n = n;
        for (uint32_t i = 0; i < n; i++)
                if (f->uses.at[i].actor >= WIRE_MAX_THREADS || f->uses.at[i].count > WIRE_MAX_EVENTS ||
                    (i && by_object(&f->uses.at[i - 1], &f->uses.at[i]) >= 0)) {
                        f->uses.n = 0;
                        return false;
                }
        return rank(f);
}
