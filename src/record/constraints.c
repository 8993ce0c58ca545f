/* See constraints.h. */
#include "record/constraints.h"

#include <stdlib.h>

#include "op/row.h"

#define MOST_WORK UINT64_C(4000000000) /* comparisons */

struct event {
        uint32_t thread, number; /* in the trace */
        uint64_t object, from, until;
        bool reads, writes;
};

/* Events of one object. */
struct group {
        const struct event *at;
        uint32_t n;
};

/* Nothing is known of where an operation is between two branches: the last time before the first of them, the first one behind the
 * second. */
static void window(struct event *e, const struct recorded_thread *t, uint32_t bit)
{
        uint64_t at = t->lost;

        e->from = 0;
        e->until = UINT64_MAX;
        for (uint32_t i = 0; i < t->n && e->until == UINT64_MAX; i++) {
                uint64_t time = REC_TIME(t->entries[i].info);
                at += REC_COUNT(t->entries[i].info);
                if (time && at < bit)
                        e->from = time;
                else if (time && at > bit)
                        e->until = time;
        }
}

static bool before(const struct event *a, const struct event *b, bool timed)
{
        return a->thread == b->thread ? a->number < b->number : timed && a->until < b->from;
}

/* Is what `w` writes overwritten before the read, whatever the order? */
static bool is_hidden(const struct group *g, const struct event *w, const struct event *r, bool timed)
{
        for (uint32_t i = 0; i < g->n; i++)
                if (g->at[i].writes && &g->at[i] != w && &g->at[i] != r && before(w, &g->at[i], timed) &&
                    before(&g->at[i], r, timed))
                        return true;
        return false;
}

/* Of a read: the write comes first, and no other one between; w NULL: nobody has written yet. */
static uint64_t from_write(const struct group *g, const struct event *w, const struct event *r, bool timed)
{
        uint64_t n = w ? 1 : 0;

        for (uint32_t i = 0; i < g->n; i++) {
                const struct event *o = &g->at[i];
                n += o->writes && o != w && o != r && !before(r, o, timed) && !(w && before(o, w, timed));
        }
        return n;
}

static uint64_t from_any(const struct group *g, const struct event *r, bool timed)
{
        uint64_t n = 0;
        bool written = false;

        for (uint32_t i = 0; i < g->n; i++) {
                const struct event *w = &g->at[i];
                if (!w->writes || w == r || before(r, w, timed))
                        continue;
                written |= before(w, r, timed);
                if (!is_hidden(g, w, r, timed))
                        n += from_write(g, w, r, timed);
        }
        return written ? n : n + from_write(g, NULL, r, timed);
}

/* A lock: of two threads that hold it, one is first. */
static uint64_t of_lock(const struct group *g, bool timed)
{
        uint64_t n = 0;

        for (uint32_t i = 0; i < g->n; i++)
                for (uint32_t k = 0; k < i; k++)
                        n += g->at[i].thread != g->at[k].thread && !before(&g->at[i], &g->at[k], timed) &&
                             !before(&g->at[k], &g->at[i], timed);
        return n;
}

static void count_group(struct constraints *c, const struct group *g, bool is_lock)
{
        if (is_lock) {
                c->paths.sync += of_lock(g, false);
                c->timed.sync += of_lock(g, true);
                return;
        }
        for (uint32_t i = 0; i < g->n; i++)
                if (g->at[i].reads) {
                        c->paths.rw += from_any(g, &g->at[i], false);
                        c->timed.rw += from_any(g, &g->at[i], true);
                }
}

static int by_object(const void *a, const void *b)
{
        const struct event *x = a, *y = b;

        if (x->object != y->object)
                return x->object < y->object ? -1 : 1;
        return x->number < y->number ? -1 : x->number > y->number;
}

/* Splits events, sorted by their objects, into groups. */
static int count_all(struct constraints *c, struct event *all, uint32_t n, bool locks)
{
        uint64_t work = 0;
        struct group g;

        if (n)
                qsort(all, n, sizeof *all, by_object);
        for (uint32_t i = 0; i < n; i += g.n) {
                g = (struct group){&all[i], 1};
                while (i + g.n < n && all[i + g.n].object == all[i].object)
                        g.n++;
                work += (uint64_t)g.n * g.n * (locks ? 1 : g.n);
                if (work > MOST_WORK)
                        return -1;
                count_group(c, &g, locks);
        }
        return 0;
}

/* Memory, or a lock that is taken; false: neither. */
static bool take(struct event *to, const struct wire_event *e, bool *lock)
{
        const struct op_row *row = op_row(e->op);

        *lock = row->order == OP_TAKES && !(e->flags & WIRE_EV_FAILED);
        to->object = e->obj;
        to->writes = e->mode == WIRE_MODE_WRITE;
        to->reads = e->op == OP_READ || e->op == OP_LOAD || e->op == OP_RMW || e->op == OP_CAS || e->op == OP_UPDATE;
        return *lock || (row->object == OP_OBJ_MEMORY && (to->reads || to->writes));
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

int constraints_count(struct constraints *c, const struct recording *r, const struct trace *t, const uint32_t *bits)
{
        struct event *memory = calloc(t->n_events + 1, sizeof *memory), *locks = calloc(t->n_events + 1, sizeof *locks);
        uint32_t n_memory = 0, n_locks = 0;
        int err = memory && locks ? 0 : -1;
        bool lock;

        *c = (struct constraints){0};
        for (uint32_t i = 0; i < t->n_events && !err; i++) {
                const struct wire_event *e = &t->events[i];
                struct event one = {.thread = e->actor, .number = i};

                uint32_t thread = recorded(r, t, e->actor);

                c->paths.sync += e->op == OP_CREATE || e->op == OP_JOIN;
                if (thread == r->n_threads || !take(&one, e, &lock))
                        continue;
                window(&one, &r->threads[thread], bits[i]);
                if (lock)
                        locks[n_locks++] = one;
                else
                        memory[n_memory++] = one;
        }
        c->timed.sync = c->paths.sync;
        c->events = n_memory + n_locks;
        c->paths.order = c->timed.order = c->events > r->n_threads ? c->events - r->n_threads : 0;
        if (!err && (count_all(c, memory, n_memory, false) || count_all(c, locks, n_locks, true)))
                err = -1;
        free(memory);
        free(locks);
        return err;
}
