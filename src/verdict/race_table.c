/*
 * The table of races.
 *
 * The first detector follows happens-before; the second, of --races limited, finds candidates besides.  A race that both
 * find is one entry, and no candidate.
 */
#include "verdict/race_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/race.h"
#include "base/deadline.h"
#include "engine/loop.h"
#include "program/preemption_points.h"
#include "verdict/race_index.h"
#include "op/op.h"
#include "trace/schedule.h"

struct races {
        struct race_detector by[2]; /* happens-before, limited happens-before */
        uint32_t n;                 /* how many of them are in use */
};

static int no_memory(struct session *s)
{
        snprintf(s->why, 512, "out of memory");
        return SESSION_FAIL;
}

void races_init(struct session *s)
{
        uint32_t n = s->config->races == RACES_OFF ? 0 : s->config->races == RACES_LIMITED ? 2 : 1;

        s->races = calloc(1, sizeof *s->races);
        for (uint32_t i = 0; s->races && i < n; i++)
                race_init(&s->races->by[i], i == 1);
        if (s->races)
                s->races->n = n;
}

void races_fini(struct session *s)
{
        for (uint32_t i = 0; s->races && i < s->races->n; i++)
                race_fini(&s->races->by[i]);
        free(s->races);
        s->races = NULL;
}

void races_reset(struct session *s)
{
        struct result *r = s->result;

        for (uint32_t i = 0; s->races && i < s->races->n; i++)
                race_reset(&s->races->by[i]);
        race_table_reset(r);
        s->n_raced = 0;
}

/* An execution that was cut as redundant shows nothing that another does not show. */
static bool tells(const struct trace *t)
{
        return t->end != WIRE_END_SLEEP && t->end != WIRE_END_DIVERGED;
}

int races_look(struct session *s, bool *fresh)
{
        struct races *x = s->races;

        *fresh = false;
        if (!x)
                return no_memory(s);
        for (uint32_t i = 0; i < x->n && tells(&s->trace); i++) {
                struct race_detector *d = &x->by[i];

                if (race_look(d, &s->trace))
                        return no_memory(s);
                for (uint32_t k = 0; k < d->found.n; k++)
                        *fresh |= d->pairs.at[d->found.at[k].pair].race == UINT32_MAX;
        }
        return SESSION_OK;
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
        a->value = e->value;
        a->has_value = !race_is_end(kind) && e->size <= 8;
}

static bool is_point(const struct session *s, const struct race_access *a)
{
        return race_is_atomic(a->kind) || points_has(s, a->site);
}

static void set_seen(const struct session *s, struct race *r)
{
        r->looked = s->looking;
        r->partial = s->config->resume != NULL;
        r->execution = s->result->stats.executions + (s->looking ? s->result->stats.looked : 0);
        r->points =
                s->config->preempt == WIRE_PREEMPT_ALL ||
                (s->config->preempt == WIRE_PREEMPT_RACES && is_point(s, &r->access[0]) && is_point(s, &r->access[1]));
}

/* Is it the race of an access with `free` that this failure shows in the other order? */
static bool shown_by(const struct race *r, const struct wire_failure *f)
{
        for (int i = 0; i < 2; i++)
                if (f->kind == WIRE_FAIL_USE_AFTER_FREE && f->block.n_freed && r->access[i].kind == RACE_FREE &&
                    r->access[i].site == f->block.freed[0] && r->access[!i].site == f->site)
                        return true;
        return false;
}

static void blame(struct race *r, const struct wire_failure *f)
{
        if (!shown_by(r, f))
                return;
        r->failing++;
        r->orders = RACE_FORWARD | RACE_BACKWARD;
}

/* Uses after free of earlier executions, and of this one. */
static void blame_known(const struct session *s, struct race *r)
{
        for (uint32_t i = 0; i < s->result->n_findings; i++) {
                const struct finding *d = &s->result->findings[i];
                if (d->failure < d->trace->n_failures)
                        blame(r, &d->trace->failures[d->failure]);
        }
}

/* The entry of the table for a pair; UINT32_MAX without memory.  *text: the schedule of the trace, once it is known. */
static uint32_t enter(struct session *s, const struct race_detector *d, const struct race_found *f, char **text)
{
        struct result *res = s->result;
        const struct race_pair *p = &d->pairs.at[f->pair];
        struct race r = {.candidate = d->limited,
                         .first = f->forward ? RACE_FORWARD : RACE_BACKWARD,
                         .orders = p->orders},
                    *known;
        uint32_t at = f->forward ? 0 : 1;

        describe(&s->trace, d, f->early, f->held[0], p->kind[at], &r.access[at]);
        describe(&s->trace, d, f->late, f->held[1], p->kind[!at], &r.access[!at]);
        known = race_table_find(res, &r);
        if (known)
                return (uint32_t)(known - res->races);
        set_seen(s, &r);
        if (!*text)
                *text = session_text(s, &s->trace, s->trace.n_events, WIRE_NO_ACTOR, false);
        r.schedule = *text ? strdup(*text) : NULL;
        if (!r.schedule)
                return UINT32_MAX;
        blame_known(s, &r);
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

void races_blame(struct session *s, const struct finding *f)
{
        struct trace was = s->trace;
        const struct race_detector *d = s->races && s->races->n ? &s->races->by[0] : NULL;
        bool fresh;

        s->trace = *f->trace;
        if (d && races_look(s, &fresh) == SESSION_OK && tells(&s->trace))
                for (uint32_t k = 0; k < d->found.n; k++) {
                        uint32_t race = d->pairs.at[d->found.at[k].pair].race;
                        if (race < s->result->n_races)
                                s->result->races[race].failing++;
                }
        s->trace = was;
}

int races_note(struct session *s, bool again, bool fails)
{
        struct races *x = s->races;
        bool failed = s->trace.end == WIRE_END_STUCK || s->trace.n_failures || fails;
        bool leaky = !failed && loses(&s->trace);
        char *text = NULL;
        int e = SESSION_OK;

        for (uint32_t i = 0; i < x->n && tells(&s->trace); i++) {
                struct race_detector *d = &x->by[i];

                for (uint32_t k = 0; k < d->found.n && e == SESSION_OK && !late_soon(); k++) {
                        const struct race_found *f = &d->found.at[k];
                        struct race_pair *p = &d->pairs.at[f->pair];
                        struct race *r;

                        bool known = p->race != UINT32_MAX;

                        if (!known && (p->race = enter(s, d, f, &text)) == UINT32_MAX) {
                                e = no_memory(s);
                                break;
                        }
                        r = &s->result->races[p->race];
                        r->candidate = r->candidate && d->limited;
                        if (i > 0 && !r->candidate)
                                continue; /* counted where it was no candidate */
                        r->count += !again || !known;
                        r->leaky += leaky;
                        r->failing += failed || (s->config->fail_on == FAIL_ON_RACE && !r->candidate);
                }
                take_orders(d, s->result);
        }
        free(text);
        for (uint32_t i = 0; !again && i < s->trace.n_failures; i++)
                for (uint32_t k = 0; k < s->result->n_races; k++)
                        blame(&s->result->races[k], &s->trace.failures[i]);
        return e;
}

bool races_failure(const struct session *s, uint32_t k, struct wire_failure *f)
{
        const struct race_detector *d = s->races && s->races->n ? &s->races->by[0] : NULL;
        const struct race_found *x;
        const struct wire_event *early, *late;

        if (!d || !tells(&s->trace) || k >= d->found.n)
                return false;
        x = &d->found.at[k];
        early = &d->events.at[x->early];
        late = &d->events.at[x->late];
        memset(f, 0, sizeof *f);
        f->kind = WIRE_FAIL_RACE;
        f->actor = late->actor;
        f->signal = d->pairs.at[x->pair].kind[x->forward];
        f->status = d->pairs.at[x->pair].kind[!x->forward];
        f->addr = late->obj;
        f->other = early->site;
        f->other_actor = early->actor;
        f->other_op = early->op;
        f->site = late->site;
        f->event = x->upto + 1;
        f->n_stack = x->late < s->trace.n_events ? trace_stack(&s->trace, x->late, f->stack, WIRE_MAX_STACK) : 0;
        return true;
}

static void mark(struct session *s, struct finding *f)
{
        const struct race_detector *d = &s->races->by[0];
        bool fresh;

        s->trace = *f->trace;
        if (races_look(s, &fresh) != SESSION_OK || !tells(&s->trace) || !d->found.n)
                return;
        f->races = malloc(d->found.n * sizeof *f->races);
        for (uint32_t i = 0; f->races && i < d->found.n; i++)
                f->races[f->n_races++] = (struct finding_race){d->found.at[i].early, d->found.at[i].late};
}

/* Other orders of what lies between the two accesses were not tried. */
static void tell_untested(struct session *s, const struct race *r)
{
        struct symbols_frame a = symbols_place(s->symbols, r->access[0].site);
        struct symbols_frame b = symbols_place(s->symbols, r->access[1].site);
        char text[WIRE_TEXT], name[80];

        symbols_focus(s->symbols, NULL);
        snprintf(text, sizeof text, "%.60s, %s at %.60s:%u and %s at %.60s:%u",
                 finding_object(name, sizeof name, s->symbols, OP_READ, r->access[0].obj),
                 race_kind_name(r->access[0].kind), a.file ? a.file : a.function, a.line,
                 race_kind_name(r->access[1].kind), b.file ? b.file : b.function, b.line);
        loop_incomplete(&s->result->stats, REASON_RACE, text);
}

void races_mark(struct session *s)
{
        for (uint32_t i = 0; i < s->result->n_races; i++)
                if (!s->result->races[i].points && !s->result->races[i].candidate && !s->config->replay)
                        tell_untested(s, &s->result->races[i]);
        for (uint32_t i = 0; i < s->result->n_races && s->target.down->cycles == WIRE_CYCLES_ALL; i++)
                s->result->races[i].unsure = true; /* not every way to a state was taken */
        for (uint32_t i = 0; s->races && s->races->n && i < s->result->n_findings; i++)
                if (s->result->findings[i].trace)
                        mark(s, &s->result->findings[i]);
}
