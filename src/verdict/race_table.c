/*
 * The table of races.
 *
 * The first detector follows happens-before; the second, of --races limited, finds more candidates.  A race that both
 * find is one entry, and no candidate.
 */
#include "verdict/race_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/race.h"
#include "base/deadline.h"
#include "program/preemption_points.h"
#include "verdict/race_index.h"
#include "op/op.h"
#include "trace/schedule.h"

struct races {
        struct race_detector by[2]; /* happens-before, limited happens-before */
        uint32_t n;                 /* how many of them are in use */
        struct program *program;    /* names, points, schedule texts */
        struct result *result;      /* the table */
};

struct races *races_create(struct program *p, struct result *r)
{
        uint32_t n = p->config->races == RACES_OFF ? 0 : p->config->races == RACES_LIMITED ? 2 : 1;
        struct races *x = calloc(1, sizeof *x);

        if (!x)
                return NULL;
        *x = (struct races){.n = n, .program = p, .result = r};
        for (uint32_t i = 0; i < n; i++)
                race_init(&x->by[i], i == 1);
        return x;
}

void races_destroy(struct races *x)
{
        for (uint32_t i = 0; x && i < x->n; i++)
                race_fini(&x->by[i]);
        free(x);
}

void races_reset(struct races *x)
{
        for (uint32_t i = 0; i < x->n; i++)
                race_reset(&x->by[i]);
        result_drop_races(x->result);
}

/* An execution that was cut as redundant shows nothing that another does not show. */
static bool tells(const struct trace *t)
{
        return t->end != WIRE_END_SLEEP && t->end != WIRE_END_DIVERGED;
}

int races_look(struct races *x, const struct trace *t, bool *fresh)
{
        *fresh = false;
        for (uint32_t i = 0; i < x->n && tells(t); i++) {
                struct race_detector *d = &x->by[i];

                if (race_look(d, t))
                        return error_memory(x->program->why);
                for (uint32_t k = 0; k < d->found.n; k++)
                        *fresh |= d->pairs.at[d->found.at[k].pair].race == UINT32_MAX;
        }
        return RUN_OK;
}

static void describe_locks(const struct sync *y, uint32_t list, struct race_access *a)
{
        for (; list && a->n_locks < RACE_MAX_LOCKS; list = y->locks.at[list - 1].next) {
                const struct sync_lock *l = &y->locks.at[list - 1];
                a->locks[a->n_locks++] = (struct race_lock){l->obj, l->kind, l->shared};
        }
}

/* Entry i of the trace, which may have been recorded in detail since the detector saw it. */
static void describe(const struct trace *t, const struct race_detector *d, uint32_t i, uint32_t held, uint8_t kind,
                     struct race_access *a)
{
        const struct wire_event *seen = &d->events.at[i], *e = i < t->n_events ? &t->events[i] : seen;

        if (e->actor != seen->actor || e->site != seen->site || e->obj != seen->obj)
                e = seen;
        a->site = seen->site;
        a->obj = seen->obj;
        a->size = seen->size;
        a->pos = seen->pos;
        a->actor = seen->actor;
        a->kind = kind;
        describe_locks(&d->sync, held, a);
        a->stack[a->n_stack++] = a->site;
        if (e == seen || !t->n_frames)
                return;
        a->n_stack = trace_stack(t, i, a->stack, WIRE_MAX_STACK);
        for (uint32_t k = t->n_locals; k-- > 0 && !a->local.addr;) /* a frame may have been there before */
                if (t->locals[k].addr == seen->obj)
                        a->local = t->locals[k];
        for (uint32_t k = t->n_blocks; k-- > 0 && !a->block.n_allocated;)
                if (seen->obj - t->blocks[k].start < t->blocks[k].size)
                        a->block = t->blocks[k];
        a->value = e->value;
        a->has_value = !race_is_end(kind) && e->size <= 8;
}

static bool is_point(const struct program *p, const struct race_access *a)
{
        return race_is_point(a->kind) || points_has(p, a->site);
}

static void set_seen(const struct races *x, const struct trace *t, bool probe, struct race *r)
{
        const struct program *p = x->program;

        r->by_probe = probe;
        r->partial = p->config->resume != NULL;
        r->execution = stats_number(&x->result->stats, t->end);
        r->points =
                p->config->preempt == WIRE_PREEMPT_ALL ||
                (p->config->preempt == WIRE_PREEMPT_RACES && is_point(p, &r->access[0]) && is_point(p, &r->access[1]));
}

/* The access, the last one before the failure, is to memory that was given back like this. */
static bool came_late(const struct trace *t, const struct wire_failure *f, const struct race_access *end)
{
        const struct wire_event *use = &t->events[f->event - 1];

        for (uint32_t i = f->event - 1; i-- > 0 && !late_soon();) {
                const struct wire_event *e = &t->events[i];

                if (e->site == end->site && race_is_access(e) && race_kind_of(e) == end->kind &&
                    e->obj < use->obj + use->size && use->obj < e->obj + e->size)
                        return true;
        }
        return false;
}

/* Is it the race of an access with the end of its memory that this failure shows in the other order? */
static bool shown_by(const struct race *r, const struct trace *t, const struct wire_failure *f)
{
        const struct wire_event *last = f->event ? &t->events[f->event - 1] : NULL;

        for (int i = 0; i < 2; i++) {
                const struct race_access *end = &r->access[i], *use = &r->access[!i];

                if (f->kind == WIRE_FAIL_USE_AFTER_FREE && f->block.n_freed && end->kind == RACE_FREE &&
                    end->site == f->block.freed[0] && use->site == f->site)
                        return true;
                if (race_is_end(end->kind) && last && last->actor == f->actor && last->site == use->site &&
                    race_is_access(last) && came_late(t, f, end))
                        return true;
        }
        return false;
}

static void blame(struct race *r, const struct trace *t, const struct wire_failure *f)
{
        if (!shown_by(r, t, f))
                return;
        r->failing++;
        r->orders = RACE_FORWARD | RACE_BACKWARD;
}

/* Uses after free of earlier executions, and of this one. */
static void blame_known(const struct result *res, struct race *r)
{
        for (uint32_t i = 0; i < res->n_findings; i++) {
                const struct finding *d = &res->findings[i];
                if (d->failure < d->trace->n_failures)
                        blame(r, d->trace, &d->trace->failures[d->failure]);
        }
}

/* The entry of the table for a pair; UINT32_MAX without memory.  *text: the schedule of the trace, once it is known. */
static uint32_t enter(struct races *x, const struct trace *t, const struct race_detector *d, const struct race_found *f,
                      bool probe, char **text)
{
        struct result *res = x->result;
        const struct race_pair *p = &d->pairs.at[f->pair];
        struct race r = {.candidate = d->limited,
                         .first = f->forward ? RACE_FORWARD : RACE_BACKWARD,
                         .orders = p->orders},
                    *known;
        uint32_t at = f->forward ? 0 : 1;

        describe(t, d, f->early, f->held[0], p->kind[at], &r.access[at]);
        describe(t, d, f->late, f->held[1], p->kind[!at], &r.access[!at]);
        known = race_table_find(res, &r);
        if (known)
                return (uint32_t)(known - res->races);
        set_seen(x, t, probe, &r);
        if (!*text)
                *text = program_text(x->program, t, t->n_events, WIRE_NO_ACTOR, false);
        r.schedule = *text ? strdup(*text) : NULL;
        if (!r.schedule)
                return UINT32_MAX;
        blame_known(res, &r);
        if (race_table_add(res, &r))
                return res->n_races - 1;
        free(r.schedule);
        return UINT32_MAX;
}

static void take_orders(struct race_detector *d, struct result *res)
{
        if (!d->turned)
                return;
        for (uint32_t i = 0; i < d->pairs.n; i++) {
                struct race_pair *p = &d->pairs.at[i];
                if (p->turned && p->race < res->n_races)
                        res->races[p->race].orders |= p->orders;
                p->turned = false;
        }
        d->turned = false;
}

/* Does it lose something, as far as is known without being a failure? */
static bool loses(const struct trace *t)
{
        for (uint32_t i = 0; i < t->n_leaks; i++)
                if (t->leaks[i].direct)
                        return true;
        return false;
}

void races_blame(struct races *x, const struct finding *f)
{
        const struct race_detector *d = &x->by[0];
        bool fresh;

        if (!x->n || races_look(x, f->trace, &fresh) != RUN_OK || !tells(f->trace))
                return;
        for (uint32_t k = 0; k < d->found.n; k++) {
                uint32_t race = d->pairs.at[d->found.at[k].pair].race;
                if (race < x->result->n_races)
                        x->result->races[race].failing++;
        }
}

/* An observed variable that threads write while main returns, with fewer points than accesses: some outcomes are missing. */
static void note_observed(struct races *x)
{
        const struct race_detector *d = &x->by[0];
        char name[80];

        if (x->n && d->observed && x->program->config->preempt != WIRE_PREEMPT_ALL && !x->program->config->replay)
                stats_incomplete(&x->result->stats, REASON_OBSERVED,
                                 finding_object(name, sizeof name, x->program->symbols, OP_READ, d->observed));
}

int races_note(struct races *x, const struct trace *t, struct races_how how)
{
        struct result *res = x->result;
        bool failed = t->end == WIRE_END_STUCK || t->n_failures || how.fails;
        bool leaky = !failed && loses(t);
        char *text = NULL;
        int e = RUN_OK;

        for (uint32_t i = 0; i < x->n && tells(t); i++) {
                struct race_detector *d = &x->by[i];

                for (uint32_t k = 0; k < d->found.n && e == RUN_OK && !late_soon(); k++) {
                        const struct race_found *f = &d->found.at[k];
                        struct race_pair *p = &d->pairs.at[f->pair];
                        struct race *r;

                        bool known = p->race != UINT32_MAX;

                        if (!known && (p->race = enter(x, t, d, f, how.probe, &text)) == UINT32_MAX) {
                                e = error_memory(x->program->why);
                                break;
                        }
                        r = &res->races[p->race];
                        r->candidate = r->candidate && d->limited;
                        if (i > 0 && !r->candidate)
                                continue; /* counted where it was not a candidate */
                        r->count += !how.again || !known;
                        r->leaky += leaky;
                        r->failing += failed || (x->program->config->fail_on == FAIL_ON_RACE && !r->candidate);
                }
                take_orders(d, res);
        }
        free(text);
        note_observed(x);
        for (uint32_t i = 0; !how.again && i < t->n_failures; i++)
                for (uint32_t k = 0; k < res->n_races; k++)
                        blame(&res->races[k], t, &t->failures[i]);
        return e;
}

bool races_failure(const struct races *x, const struct trace *t, uint32_t k, struct wire_failure *f)
{
        const struct race_detector *d = &x->by[0];
        const struct race_found *found;
        const struct wire_event *early, *late;

        if (!x->n || !tells(t) || k >= d->found.n)
                return false;
        found = &d->found.at[k];
        early = &d->events.at[found->early];
        late = &d->events.at[found->late];
        memset(f, 0, sizeof *f);
        f->kind = WIRE_FAIL_RACE;
        f->actor = late->actor;
        f->signal = d->pairs.at[found->pair].kind[found->forward];
        f->status = d->pairs.at[found->pair].kind[!found->forward];
        f->addr = late->obj;
        f->other = early->site;
        f->other_actor = early->actor;
        f->other_op = early->op;
        f->site = late->site;
        f->event = found->upto + 1;
        f->n_stack = found->late < t->n_events ? trace_stack(t, found->late, f->stack, WIRE_MAX_STACK) : 0;
        return true;
}

static void mark(struct races *x, struct finding *f)
{
        const struct race_detector *d = &x->by[0];
        bool fresh;

        if (races_look(x, f->trace, &fresh) != RUN_OK || !tells(f->trace) || !d->found.n)
                return;
        f->races = malloc(d->found.n * sizeof *f->races);
        for (uint32_t i = 0; f->races && i < d->found.n; i++)
                f->races[f->n_races++] = (struct finding_race){d->found.at[i].early, d->found.at[i].late};
}

/* Other orders of what lies between the two accesses were not tried. */
static void report_untested(struct races *x, const struct race *r)
{
        struct symbols *s = x->program->symbols;
        struct symbols_frame a = symbols_place(s, r->access[0].site);
        struct symbols_frame b = symbols_place(s, r->access[1].site);
        char text[WIRE_TEXT], name[80];

        trace_focus(NULL, s);
        snprintf(text, sizeof text, "%.60s, %s at %.60s:%u and %s at %.60s:%u",
                 finding_object(name, sizeof name, s, OP_READ, r->access[0].obj), race_kind_name(r->access[0].kind),
                 a.file ? a.file : a.function, a.line, race_kind_name(r->access[1].kind), b.file ? b.file : b.function,
                 b.line);
        stats_incomplete(&x->result->stats, REASON_RACE, text);
}

void races_mark(struct races *x)
{
        struct result *r = x->result;

        for (uint32_t i = 0; i < r->n_races; i++)
                if (!r->races[i].points && !r->races[i].candidate && !x->program->config->replay)
                        report_untested(x, &r->races[i]);
        for (uint32_t i = 0; i < r->n_races && program_has_cycles(x->program); i++)
                r->races[i].unsure = true; /* not every way to a state was taken */
        for (uint32_t i = 0; x->n && i < r->n_findings; i++)
                if (r->findings[i].trace)
                        mark(x, &r->findings[i]);
}
