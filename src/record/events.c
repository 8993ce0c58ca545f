/* See events.h. */
#include "record/events.h"

#include <stdlib.h>

#include "op/row.h"

/* A processor performs loads ahead of the time that is read before them, and stores behind the one that is read after them: by how
 * much times are wrong, in their unit of 64 cycles. */
#define SLACK 64u

static uint64_t earlier(uint64_t time)
{
        return time > SLACK ? time - SLACK : 0;
}

/* Nothing is known of where an operation is between two branches: the last time before the first of them, the first one behind the
 * second. */
static void window(struct record_event *e, const struct recorded_thread *t, uint32_t bit)
{
        uint64_t at = t->lost;
        uint32_t core = EVENTS_NONE;

        e->from = 0;
        e->until = UINT64_MAX;
        e->core = EVENTS_NONE;
        for (uint32_t i = 0; i < t->n && e->until == UINT64_MAX; i++) {
                uint64_t info = t->entries[i].info, time = REC_TIME(info);
                at += rec_bits(&t->entries[i]);
                if (time && at < bit) {
                        e->from = earlier(time);
                        core = REC_CORE(info);
                } else if (time && at > bit) {
                        e->until = time + SLACK;
                        e->core = REC_CORE(info) == core ? core : EVENTS_NONE;
                }
        }
}

static uint32_t given_back(const struct trace *t, uint32_t taken)
{
        for (uint32_t i = taken + 1; i < t->n_events; i++)
                if (t->events[i].actor == t->events[taken].actor && t->events[i].obj == t->events[taken].obj &&
                    op_row(t->events[i].op)->order == OP_GIVES)
                        return i;
        return EVENTS_NONE;
}

/* Memory, or a lock that is taken; false: neither. */
static bool take(struct record_event *to, const struct wire_event *e)
{
        const struct op_row *row = op_row(e->op);

        to->lock = row->order == OP_TAKES && !(e->flags & WIRE_EV_FAILED);
        to->object = e->obj;
        to->writes = e->mode == WIRE_MODE_WRITE;
        to->reads = e->op == OP_READ || e->op == OP_LOAD || e->op == OP_RMW || e->op == OP_CAS || e->op == OP_UPDATE;
        return to->lock || (row->object == OP_OBJ_MEMORY && (to->reads || to->writes));
}

/* The recorded thread that a thread of the trace is, by the names of it and of its parents; n_threads: none. */
static uint32_t recorded(const struct recording *r, const struct trace *t, uint32_t thread)
{
        uint32_t parent;

        if (!thread || thread >= t->n_names || t->names[thread].parent >= thread)
                return thread ? r->n_threads : 0;
        parent = recorded(r, t, t->names[thread].parent);
        for (uint32_t i = 1; i < r->n_threads; i++)
                if (r->threads[i].parent == parent && r->threads[i].nth == t->names[thread].nth)
                        return i;
        return r->n_threads;
}

static int by_object(const void *a, const void *b)
{
        const struct record_event *x = a, *y = b;

        if (x->object != y->object)
                return x->object < y->object ? -1 : 1;
        return x->number < y->number ? -1 : x->number > y->number;
}

static void add(struct record_events *all, const struct recording *r, const struct trace *t, uint32_t i, uint32_t bits)
{
        const struct wire_event *e = &t->events[i];
        struct record_event one = {.thread = e->actor, .number = i, .gives = EVENTS_NONE, .chain = EVENTS_NONE};
        uint32_t thread = recorded(r, t, e->actor);

        all->threads += e->op == OP_CREATE || e->op == OP_JOIN;
        if (thread == r->n_threads || !take(&one, e))
                return;
        window(&one, &r->threads[thread], bits);
        if (one.lock)
                one.gives = given_back(t, i);
        all->at[all->n++] = one;
}

int record_events_make(struct record_events *all, const struct recording *r, const struct trace *t,
                       const uint32_t *bits)
{
        *all = (struct record_events){.at = calloc(t->n_events + 1, sizeof *all->at),
                                      .last = calloc(t->n_events + 1, sizeof *all->last)};
        if (!all->at || !all->last)
                return -1;
        for (uint32_t i = 0; i < t->n_events; i++)
                add(all, r, t, i, bits[i]);
        qsort(all->at, all->n, sizeof *all->at, by_object);
        return 0;
}

void record_events_fini(struct record_events *all)
{
        free(all->at);
        free(all->last);
}

static bool continues(const struct record_event *last, const struct record_event *w)
{
        return (last->thread == w->thread || (last->core == w->core && w->core != EVENTS_NONE)) &&
               record_event_before(last, w, true);
}

static void make_chains(struct record_group *g)
{
        g->chains = 0;
        for (uint32_t i = 0; i < g->n; i++) {
                struct record_event *w = &g->at[i];
                uint32_t k = 0;

                if (!w->writes)
                        continue;
                while (k < g->chains && !continues(g->last[k], w))
                        k++;
                g->chains += k == g->chains;
                g->last[k] = w;
                w->chain = k;
        }
}

bool record_events_group(const struct record_events *all, struct record_group *g)
{
        uint32_t first = g->n ? (uint32_t)(g->at - all->at) + g->n : 0;

        if (first >= all->n)
                return false;
        *g = (struct record_group){.at = &all->at[first], .last = all->last};
        while (first + g->n < all->n && g->at[g->n].object == g->at->object)
                g->n++;
        make_chains(g);
        return true;
}
