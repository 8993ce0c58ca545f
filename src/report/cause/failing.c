/*
 * From the condition that failed to the values that it read, and what is wrong with them: the walk back finds a stale store;
 * otherwise the values are of different times, or were read before another thread had stored them.
 */
#include <string.h>

#include "op/op.h"
#include "report/cause/cause.h"
#include "report/cause/inputs.h"
#include "report/cause/walk.h"
#include "report/buffered.h"

#define NEAR 12u /* lines between an access of a function and its other lines, at most */

static const struct wire_event *event(const struct walk *w, uint32_t i)
{
        return &w->v->t->events[i];
}

/* Is thread k about to store to the memory of entry r, or to read it in a line that stores there? */
static bool is_about_to_store(struct walk *w, uint32_t k, uint32_t r)
{
        const struct wire_thread *th = &w->v->t->threads[k];
        const struct wire_event *e = event(w, r);
        const char *name = symbols_data(w->v->s, e->obj), *text;
        struct source_names names = {.n = 0};
        uint64_t sites[WIRE_MAX_STACK + 1];
        struct view_place p;

        if (th->state != WIRE_T_READY || op_object(th->op) != OP_OBJ_MEMORY || th->obj < e->obj ||
            th->obj >= e->obj + e->size)
                return false;
        if (op_mode(th->op) == WIRE_MODE_WRITE)
                return true;
        if (!name || !source_names_add(&names, name) ||
            !view_place_of(w->v, sites, finding_thread_stack(w->v->t, k, sites), &p))
                return false;
        text = view_line(w->v, &p, p.at.line);
        return text && source_assigns(text, &names);
}

/* Does the thread of `store` still hold a lock that it held there, and that the reader r does not hold? */
static bool is_inside(struct walk *w, uint32_t store, uint32_t r)
{
        uint32_t lock = view_lock_at(w->v, store, 0);
        uint64_t obj = lock == VIEW_NONE ? 0 : event(w, lock)->obj;

        return lock != VIEW_NONE && view_holds(w->v, event(w, store)->actor, obj, w->v->t->n_events) &&
               !view_holds(w->v, event(w, r)->actor, obj, r);
}

/* The condition reads two objects, and another thread changes both in between, or is in the middle of that. */
static bool is_torn(struct walk *w, const struct inputs *in)
{
        const struct view *v = w->v;

        for (uint32_t i = 0; i < in->n; i++) {
                for (uint32_t k = 0; k < in->n; k++) {
                        uint32_t a = in->at[i], b = in->at[k], store, other;
                        if (a >= b || view_overlap(v, a, b))
                                continue;
                        store = view_foreign(v, event(w, a)->actor, a, a, b);
                        other = view_decider(v, b);
                        if (store != VIEW_NONE && other != VIEW_NONE && other > a &&
                            event(w, other)->actor == event(w, store)->actor && walk_differ(v, a, store)) {
                                w->anchor = b;
                                cause_add(w->c, other);
                                return walk_found(w, CAUSE_TORN_READ, a, store, b);
                        }
                }
        }
        return false;
}

/* Does the value of read g point to the memory of read r? */
static bool leads_to(const struct walk *w, uint32_t g, uint32_t r)
{
        uint64_t value;

        return view_value(w->v, g, &value) && value && event(w, r)->obj >= value && event(w, r)->obj < value + 4096;
}

/* The other thread has changed one of the objects, and is about to change the other, or inside a section under a lock. */
static bool is_half_done(struct walk *w, const struct inputs *in)
{
        for (uint32_t i = 0; i < in->n; i++) {
                uint32_t store = view_decider(w->v, in->at[i]), actor;
                if (store == VIEW_NONE || event(w, store)->actor == event(w, in->at[i])->actor)
                        continue;
                actor = event(w, store)->actor;
                for (uint32_t k = 0; k < in->n; k++) {
                        if (k == i || view_overlap(w->v, in->at[i], in->at[k]) || leads_to(w, in->at[i], in->at[k]) ||
                            !(is_about_to_store(w, actor, in->at[k]) || is_inside(w, store, in->at[k])))
                                continue;
                        w->c->thread = actor;
                        w->anchor = in->at[k];
                        return walk_found(w, CAUSE_TORN_READ, in->at[k], store, in->at[i]);
                }
        }
        return false;
}

/* By which store did `thread` let the reader of r come there: one that decided an earlier read of it? */
static uint32_t publication(struct walk *w, uint32_t thread, uint32_t r, const struct inputs *in)
{
        for (uint32_t i = 0; i < in->n; i++) {
                uint32_t store = in->at[i] < r ? view_decider(w->v, in->at[i]) : VIEW_NONE;
                if (store != VIEW_NONE && event(w, store)->actor == thread) {
                        cause_add(w->c, in->at[i]);
                        return store;
                }
        }
        return VIEW_NONE;
}

/* No thread had stored what r read, and another thread does so later, or is about to. */
static bool is_too_early(struct walk *w, uint32_t r, const struct inputs *in, const struct inputs *conditions)
{
        const struct trace *t = w->v->t;
        uint32_t actor = event(w, r)->actor, later = view_foreign(w->v, actor, r, r, t->n_events);
        struct cause *c = w->c;

        c->thread = later == VIEW_NONE ? WIRE_NO_ACTOR : event(w, later)->actor;
        for (uint32_t k = 0; k < t->n_threads; k++)
                if (k != actor && is_about_to_store(w, k, r))
                        c->thread = k;
        if (view_decider(w->v, r) != VIEW_NONE || c->thread == WIRE_NO_ACTOR)
                return false;
        for (uint32_t i = r + 1; i < t->n_events; i++) /* its own update */
                if (event(w, i)->actor == actor && view_stores(w->v, i) && view_overlap(w->v, i, r))
                        return false;
        c->pattern = CAUSE_TOO_EARLY;
        c->check = r;
        c->foreign = later;
        c->object = event(w, r)->obj;
        c->object_op = OP_READ;
        c->act = publication(w, c->thread, r, in);
        if (c->act == VIEW_NONE)
                c->act = publication(w, c->thread, r, conditions);
        if (c->act != VIEW_NONE)
                cause_add(c, c->act);
        cause_add(c, r);
        if (later != VIEW_NONE)
                cause_add(c, later);
        return true;
}

/* A program that ends with a wrong status: the line with which it returns or exits, behind the last that its thread did. */
static bool exit_place(struct view *v, uint32_t actor, struct view_place *p)
{
        uint32_t i = v->t->n_events;

        while (i-- > 0)
                if (v->t->events[i].actor == actor && op_object(v->t->events[i].op) != OP_OBJ_PROCESS &&
                    view_place(v, i, p))
                        break;
        if (i == UINT32_MAX)
                return false;
        for (uint32_t line = p->at.line;; line++) {
                const char *text = view_line(v, p, line);
                if (!text || (line > p->at.line && (text[0] == '{' || text[0] == '}')))
                        return true;
                if (strstr(text, "exit(") || strstr(text, "return")) {
                        p->at.line = line;
                        return true;
                }
        }
}

/* Where it failed. */
static bool fail_place(struct view *v, uint32_t *actor, uint32_t *end, struct view_place *p)
{
        uint64_t sites[WIRE_MAX_STACK + 1];
        uint32_t n = finding_stack(v->f->kind, v->t, v->f->failure, sites);

        *actor = finding_actor(v->f->kind, v->t, v->f->failure);
        *end = v->f->failure < v->t->n_failures ? v->t->failures[v->f->failure].event : v->t->n_events;
        if (*actor >= v->t->n_threads)
                return false;
        if (v->f->kind != FINDING_EXIT_STATUS)
                return view_place_of(v, sites, n, p);
        if (view_place_of(v, sites, n, p)) { /* of a return from main, the site is the function */
                const char *text = view_line(v, p, p->at.line);
                if (text && strstr(text, "exit"))
                        return true;
        }
        return exit_place(v, *actor, p);
}

/* The conditions of a line that stores to what failed, in the function and call of entry i: they led `actor` there, or kept it
 * from there.  `known`: the first of these that there are. */
static bool is_led(struct walk *w, uint32_t i, struct view_place *p, uint32_t line, struct inputs *known)
{
        struct inputs in = {.n = 0};
        uint32_t actor = event(w, i)->actor, end = w->v->t->n_events;

        p->at.line = line;
        inputs_conditions(w->v, actor, end, p, &in);
        for (uint32_t k = 0; k < in.n; k++) {
                uint32_t check = in.at[k], store = check + 1, foreign;
                while (store < end && !(event(w, store)->actor == actor && view_stores(w->v, store) &&
                                        view_overlap(w->v, store, check)))
                        store++;
                foreign = store < end ? view_foreign(w->v, actor, check, check, store) : VIEW_NONE;
                if (foreign != VIEW_NONE)
                        return walk_found(w, CAUSE_LOST_UPDATE, check, foreign, store);
        }
        if (in.n && !known->n)
                *known = in;
        for (uint32_t k = 0; k < in.n; k++)
                walk_follow(w, in.at[k]);
        return walk_visit(w);
}

/* Of a global variable whose accesses are not in the trace, because only one thread at a time uses it: the lines of this file
 * that store to it, and what led the threads there or kept them from there. */
static bool is_unseen(struct walk *w, const struct view_place *at, const char *name, struct inputs *known)
{
        struct source_names names = {.n = 0};

        if (!source_names_add(&names, name))
                return false;
        for (uint32_t line = 1;; line++) {
                const char *text = source_line(&w->v->sources, at->at.file, line);
                struct view_place p;
                if (!text)
                        return false;
                if (source_indent(text) == 0 || line == at->at.line || !source_assigns(text, &names))
                        continue;
                for (uint32_t i = 0; i < w->v->t->n_events; i++)
                        if (view_reads(w->v, i) && view_is_first(w->v, i) && view_place(w->v, i, &p) && p.at.file &&
                            strcmp(p.at.file, at->at.file) == 0 && p.at.line <= line && p.at.line + NEAR > line &&
                            is_led(w, i, &p, line, known))
                                return true;
        }
}

/* The variables that the failing line names, where the trace has no read of it. */
static bool find_unseen(struct walk *w, struct inputs *known)
{
        struct source_names names = {.n = 0};
        uint32_t actor, end;
        struct view_place p;
        const char *text;

        if (!fail_place(w->v, &actor, &end, &p) || !(text = view_line(w->v, &p, p.at.line)))
                return false;
        source_names_add(&names, text);
        w->anchor = VIEW_NONE;
        w->n = 0;
        for (uint32_t i = 0; i < names.n; i++)
                if (is_unseen(w, &p, names.at[i], known))
                        return true;
        return false;
}

/* The reads of an invariant are entries of their own. */
static void looked_at(struct view *v, uint32_t end, struct inputs *in)
{
        for (uint32_t i = end; i < v->t->n_events && v->t->events[i].op == OP_LOOK && in->n < INPUTS_MAX; i++)
                in->at[in->n++] = i;
}

/* The last stores that decided them, where no pattern is found. */
static bool tell_deciders(struct walk *w, const struct inputs *in, uint32_t actor)
{
        uint32_t n = 0;

        for (uint32_t i = 0; i < in->n && n < 2; i++) {
                uint32_t store = view_decider(w->v, in->at[i]);
                if (store == VIEW_NONE || event(w, store)->actor == actor)
                        continue;
                cause_add(w->c, store);
                cause_add(w->c, in->at[i]);
                n++;
        }
        w->c->pattern = n ? CAUSE_STEPS : CAUSE_UNKNOWN;
        return n > 0;
}

/* The reads that the failing condition used, and those of the conditions that led to it. */
static bool failing_reads(struct view *v, struct inputs *in, struct inputs *conditions, uint32_t *actor, uint32_t *end)
{
        struct inputs all = {.n = 0};
        struct view_place p;

        if (v->f->kind == FINDING_INVARIANT) {
                *end = v->t->failures[v->f->failure].event;
                *actor = WIRE_NO_ACTOR;
                looked_at(v, *end, in);
                return true;
        }
        if (!fail_place(v, actor, end, &p))
                return false;
        inputs_values(v, *actor, *end, &p, in);
        inputs_conditions(v, *actor, *end, &p, &all);
        for (uint32_t i = 0; i < all.n; i++)
                if (!inputs_has(in, all.at[i]))
                        conditions->at[conditions->n++] = all.at[i];
        return true;
}

static bool walk_back(struct walk *w, const struct inputs *in)
{
        w->n = 0;
        for (uint32_t i = 0; i < in->n; i++) {
                w->anchor = in->at[i];
                walk_follow(w, in->at[i]);
                if (walk_visit(w))
                        return true;
        }
        return false;
}

static void add_store(struct cause *c, uint32_t store)
{
        for (uint32_t i = 0; i < c->n_stores; i++)
                if (c->stores[i] == store)
                        return;
        if (c->n_stores < CAUSE_MAX_STORES)
                c->stores[c->n_stores++] = store;
}

/* All stores of the execution that their own thread overtook. */
static void add_overtaken(const struct view *v, struct cause *c)
{
        uint32_t stores[BUFFERED_MAX], n = 0;

        if (!buffered_overtaken(v->d, stores, &n))
                return;
        for (uint32_t i = 0; i < n; i++)
                add_store(c, stores[i]);
}

/* Stores that waited in buffers explain it.  Those matter that their own thread overtook, if there are any; and with each the
 * store that the overtaking read missed in turn, for order in one of the threads alone does not forbid it. */
static bool is_weak(const struct view *v, struct cause *c)
{
        uint32_t n = c->n_stores, kept = 0;

        for (uint32_t i = 0; i < n; i++)
                if (delays_of(v->d, c->stores[i]).own != DELAYS_NONE)
                        c->stores[kept++] = c->stores[i];
        if (kept)
                c->n_stores = kept;
        else /* they were late because another one was, that no value shows: a flag that a transaction did not find raised */
                add_overtaken(v, c);
        for (uint32_t i = 0; i < c->n_stores; i++) {
                uint32_t own = delays_of(v->d, c->stores[i]).own;
                uint32_t missed = own == DELAYS_NONE ? DELAYS_NONE : delays_of(v->d, own).past;
                if (missed != DELAYS_NONE && !trace_is_buffer(v->t, v->t->events[own].actor) &&
                    (v->t->events[missed].weak & WIRE_WEAK_BUFFERED))
                        add_store(c, missed);
        }
        c->pattern = CAUSE_WEAK;
        return n > 0;
}

bool cause_values(struct view *v, struct cause *c)
{
        struct walk w = {.v = v, .c = c, .anchor = VIEW_NONE};
        struct inputs in = {.n = 0}, conditions = {.n = 0};
        uint32_t actor, end;

        if (!failing_reads(v, &in, &conditions, &actor, &end))
                return false;
        if (walk_back(&w, &in) || is_torn(&w, &in) || is_half_done(&w, &in))
                return true;
        w.anchor = in.n ? in.at[0] : VIEW_NONE;
        for (uint32_t i = 0; i < conditions.n && end; i++)
                if (walk_stale(&w, conditions.at[i], in.n ? in.at[0] : end - 1))
                        return true;
        if (walk_back(&w, &conditions))
                return true;
        if (c->n_stores)
                return is_weak(v, c);
        for (uint32_t i = 0; i < in.n; i++)
                if (is_too_early(&w, in.at[i], &in, &conditions))
                        return true;
        for (uint32_t i = 0; i < conditions.n && !in.n; i++)
                if (is_too_early(&w, conditions.at[i], &in, &conditions))
                        return true;
        if (!in.n && find_unseen(&w, &conditions))
                return true;
        return tell_deciders(&w, in.n ? &in : &conditions, actor);
}
