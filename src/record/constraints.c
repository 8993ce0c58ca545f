/* See constraints.h. */
#include "record/constraints.h"

#include <stdlib.h>

#include "record/events.h"

#define MOST_WORK UINT64_C(4000000000) /* comparisons */

static bool before(const struct record_event *a, const struct record_event *b, enum constraint_kind known)
{
        return record_event_before(a, b, known != CONSTRAINTS_PATHS);
}

/* Is what `w` writes overwritten before the read, whatever the order? */
static bool is_hidden(const struct record_group *g, const struct record_event *w, const struct record_event *r,
                      enum constraint_kind known)
{
        for (uint32_t i = 0; i < g->n; i++)
                if (g->at[i].writes && &g->at[i] != w && &g->at[i] != r && before(w, &g->at[i], known) &&
                    before(&g->at[i], r, known))
                        return true;
        return false;
}

/* Of a read: the write comes first, and no other one between; w NULL: nobody has written yet.  By chains: one constraint for the
 * next write of its chain, and one for each other chain. */
static uint64_t from_write(const struct record_group *g, const struct record_event *w, const struct record_event *r,
                           enum constraint_kind known)
{
        uint64_t n = w ? 1 : 0;

        for (uint32_t i = 0; known == CONSTRAINTS_CHAINS && i < g->chains; i++)
                g->last[i] = NULL;
        for (uint32_t i = 0; i < g->n; i++) {
                struct record_event *o = &g->at[i];
                if (!o->writes || o == w || o == r || before(r, o, known) || (w && before(o, w, known)))
                        continue;
                if (known == CONSTRAINTS_CHAINS && ((w && o->chain == w->chain) || g->last[o->chain]))
                        continue;
                if (known == CONSTRAINTS_CHAINS)
                        g->last[o->chain] = o;
                n++;
        }
        return n;
}

static uint64_t from_any(const struct record_group *g, const struct record_event *r, enum constraint_kind known)
{
        uint64_t n = 0;
        bool written = false;

        for (uint32_t i = 0; i < g->n; i++) {
                const struct record_event *w = &g->at[i];
                if (!w->writes || w == r || before(r, w, known))
                        continue;
                written |= before(w, r, known);
                if (!is_hidden(g, w, r, known))
                        n += from_write(g, w, r, known);
        }
        return written ? n : n + from_write(g, NULL, r, known);
}

/* A lock: of two threads that hold it, one is first. */
static uint64_t of_lock(const struct record_group *g, enum constraint_kind known)
{
        uint64_t n = 0;

        for (uint32_t i = 0; i < g->n; i++)
                for (uint32_t k = 0; k < i; k++)
                        n += g->at[i].thread != g->at[k].thread && !before(&g->at[i], &g->at[k], known) &&
                             !before(&g->at[k], &g->at[i], known);
        return n;
}

static void count_group(struct constraint_count *c, const struct record_group *g, enum constraint_kind known)
{
        if (g->at->lock) {
                c->sync += of_lock(g, known);
                return;
        }
        for (uint32_t i = 0; i < g->n; i++)
                if (g->at[i].reads)
                        c->rw += from_any(g, &g->at[i], known);
}

int constraints_count(struct constraints *c, const struct recording *r, const struct trace *t, const uint32_t *bits)
{
        struct record_events all;
        struct record_group g = {0};
        uint64_t work = 0;
        int err = record_events_make(&all, r, t, bits);

        *c = (struct constraints){.events = all.n};
        for (int i = 0; i < CONSTRAINT_KINDS; i++) {
                c->of[i].order = all.n > r->n_threads ? all.n - r->n_threads : 0;
                c->of[i].sync = all.threads;
        }
        while (!err && record_events_group(&all, &g)) {
                work += (uint64_t)g.n * g.n * (g.at->lock ? 1 : g.n);
                if (work > MOST_WORK)
                        err = -1;
                for (int i = 0; i < CONSTRAINT_KINDS && !err; i++)
                        count_group(&c->of[i], &g, (enum constraint_kind)i);
        }
        record_events_fini(&all);
        return err;
}
