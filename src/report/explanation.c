/*
 * The story of a failure.
 *
 * Where a thread was preempted, what mattered is what others did meanwhile to something that it had touched before, or
 * touched afterwards: its last access before, the access of the other, its first access after.  These three are told
 * for each of the last preemptions, and where the locks of a deadlock were taken.  Steps on other data are left out.
 */
#include "report/explanation.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/vec.h"
#include "op/op.h"
#include "report/buffered.h"
#include "report/wording.h"
#include "report/step.h"
#include "trace/locks_held.h"
#include "trace/waits.h"

#define MAX_SWITCHES 3u /* the last so many are told */
#define MAX_STEPS    9u

struct story {
        const struct trace *t;
        VEC(uint32_t) steps; /* entries, each once */
};

static void add(struct story *st, uint32_t i)
{
        for (uint32_t k = 0; k < st->steps.n; k++)
                if (st->steps.at[k] == i)
                        return;
        if (st->steps.n < MAX_STEPS && vec_reserve(&st->steps, 1))
                *vec_push(&st->steps) = i;
}

static bool conflict(const struct wire_event *a, const struct wire_event *b)
{
        return a->op != OP_OBSERVE && b->op != OP_OBSERVE && a->obj < b->obj + b->size && b->obj < a->obj + a->size &&
               op_modes_conflict(a->mode, b->mode);
}

/* The nearest entry of `actor` in [from, to), walking up or down, that conflicts with entry y; UINT32_MAX: none. */
static uint32_t nearest(const struct trace *t, uint32_t actor, uint32_t y, uint32_t from, uint32_t to, bool down)
{
        for (uint32_t n = to - from; n > 0; n--) {
                uint32_t i = down ? from + n - 1 : to - n;
                if (t->events[i].actor == actor && conflict(&t->events[i], &t->events[y]))
                        return i;
        }
        return UINT32_MAX;
}

/* `actor` was preempted before entry s and went on at entry r. */
static void tell_switch(struct story *st, uint32_t actor, uint32_t s, uint32_t r)
{
        const struct trace *t = st->t;

        for (uint32_t y = r; y-- > s;) { /* the last access of others that touches what it touched or will touch */
                const struct wire_event *e = &t->events[y];
                uint32_t x, z;
                if (e->actor == actor || e->mode == WIRE_MODE_NONE || op_object(e->op) != OP_OBJ_MEMORY)
                        continue;
                x = nearest(t, actor, y, 0, s, true);
                z = nearest(t, actor, y, r, t->n_events, false);
                if (x == UINT32_MAX && z == UINT32_MAX)
                        continue;
                if (x != UINT32_MAX)
                        add(st, x);
                add(st, y);
                if (z != UINT32_MAX)
                        add(st, z);
                return;
        }
}

/* Walks back over the switches; w[i] is the next turn of the thread of entry i. */
static void tell_preemptions(struct story *st)
{
        const struct trace *t = st->t;
        uint32_t next[WIRE_MAX_THREADS], later = t->n_events, told = 0;

        for (uint32_t i = 0; i < t->n_threads; i++)
                next[i] = t->n_events;
        for (uint32_t i = t->n_events; i-- > 0 && told < MAX_SWITCHES;) {
                const struct wire_event *e = &t->events[i];
                if (!trace_is_turn(e))
                        continue;
                if (later < t->n_events && t->events[later].actor != e->actor &&
                    waits_at_switch(t, e->actor, later, next[e->actor]).could_run) {
                        tell_switch(st, e->actor, later, next[e->actor]);
                        told++;
                }
                next[e->actor] = later = i;
        }
}

/* No preemption explains it: what the failing thread read last, and who wrote that. */
static void tell_last_read(struct story *st, uint32_t actor)
{
        const struct trace *t = st->t;
        uint32_t z = t->n_events, x, y;

        while (z-- > 0) {
                const struct wire_event *e = &t->events[z];
                if (e->actor == actor && e->op != OP_OBSERVE && op_object(e->op) == OP_OBJ_MEMORY &&
                    e->mode == WIRE_MODE_READ)
                        break;
        }
        if (z == UINT32_MAX)
                return;
        for (y = z; y-- > 0;)
                if (t->events[y].actor != actor && conflict(&t->events[y], &t->events[z]))
                        break;
        if (y == UINT32_MAX)
                return;
        x = nearest(t, actor, y, 0, y, true);
        if (x != UINT32_MAX)
                add(st, x);
        add(st, y);
        add(st, z);
}

/* Where what the threads of the cycle wait for was taken. */
static void tell_locks(struct story *st)
{
        const struct trace *t = st->t;
        uint32_t cycle[WIRE_MAX_THREADS], n = waits_cycle(t, cycle);
        struct held held = {0};

        for (uint32_t i = 0; i < t->n_events; i++)
                if (!held_step(&held, &t->events[i], i))
                        break;
        for (uint32_t k = 0; k < n; k++)
                for (uint32_t i = 0; i < held.locks.n; i++)
                        if (held.locks.at[i].obj == t->threads[cycle[k]].obj)
                                add(st, held.locks.at[i].entry);
        held_fini(&held);
}

/* No cycle of locks: what each thread that waits did last, the wakeups that came before included. */
static void tell_waits(struct story *st)
{
        const struct trace *t = st->t;

        for (uint32_t a = 0; a < t->n_threads; a++) {
                if (t->threads[a].state != WIRE_T_BLOCKED || t->threads[a].op == OP_JOIN)
                        continue;
                for (uint32_t i = t->n_events; i-- > 0;) {
                        if (t->events[i].actor == a && (t->events[i].flags & WIRE_EV_SCHED)) {
                                add(st, i);
                                break;
                        }
                }
        }
        for (uint32_t i = t->n_events; i-- > 0 && st->steps.n < MAX_STEPS / 2;)
                if (t->events[i].op == OP_COND_SIGNAL || t->events[i].op == OP_COND_BROADCAST)
                        add(st, i);
}

static int ascending(const void *a, const void *b)
{
        uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

        return x < y ? -1 : x > y;
}

static void say_step(struct strbuf *b, struct symbols *s, const struct delays *d, uint32_t i)
{
        const struct trace *t = d->t;
        const struct wire_event *e = &t->events[i];
        struct symbols_frame at = phrase_entry(s, t, i);
        const char *base = at.file ? strrchr(at.file, '/') : NULL, *word = op_verb(e->op);
        bool access = word && op_object(e->op) == OP_OBJ_MEMORY;
        char *step = access ? step_access(s, e) : step_text(s, d, i, false);
        size_t skip = word && !access ? strlen(op_name(e->op)) : 0;

        if (trace_is_buffer(t, e->actor))
                strbuf_printf(b, "T%u's %s", trace_owner(t, e->actor), step ? step : "?");
        else
                strbuf_printf(b, "T%u %s%s%s", e->actor, word ? word : "does ", access ? " " : "",
                              step ? step + skip : "?");
        if (at.line)
                strbuf_printf(b, " (%s:%u)", base ? base + 1 : at.file, at.line);
        free(step);
}

/* The steps that matter, in their order.  false: there are none. */
static bool tell_steps(struct strbuf *b, struct symbols *s, const struct finding *f, const struct delays *d)
{
        struct story st = {.t = f->trace};
        uint32_t n;

        if (f->kind == FINDING_DEADLOCK) {
                tell_locks(&st);
                if (!st.steps.n)
                        tell_waits(&st);
        } else {
                tell_preemptions(&st);
        }
        if (!st.steps.n && f->failure < f->trace->n_failures)
                tell_last_read(&st, f->trace->failures[f->failure].actor);
        n = st.steps.n;
        if (n)
                qsort(st.steps.at, n, sizeof *st.steps.at, ascending);
        for (uint32_t k = 0; k < n && n >= 2; k++) {
                strbuf_puts(b, k ? ", then " : "");
                say_step(b, s, d, st.steps.at[k]);
        }
        vec_fini(&st.steps);
        return n >= 2;
}

char *story_tell(struct symbols *s, const struct finding *f)
{
        struct strbuf b = STRBUF_INIT;
        struct delays d;

        if (delays_init(&d, f->trace))
                return NULL;
        if (!buffered_tell(&b, s, &d, true) && !tell_steps(&b, s, f, &d) && !buffered_tell(&b, s, &d, false)) {
                delays_fini(&d);
                return NULL;
        }
        char *message = f->kind == FINDING_DEADLOCK ? strdup("all of them are blocked")
                                                    : finding_message(f->kind, f->trace, f->failure, s);
        strbuf_printf(&b, "; %s", message ? message : "then it fails");
        free(message);
        delays_fini(&d);
        return strbuf_take(&b);
}

char *story_fences(struct symbols *s, const struct finding *f)
{
        struct strbuf b = STRBUF_INIT;
        struct delays d;
        bool any = delays_init(&d, f->trace) == 0 && buffered_fences(&b, s, &d);

        delays_fini(&d);
        return any ? strbuf_take(&b) : NULL;
}

char *story_minimized(const struct finding *f)
{
        const struct minimized *z = &f->minimized;
        struct strbuf b = STRBUF_INIT;

        if (!z->tried)
                return NULL;
        if (!z->done) {
                strbuf_puts(&b, "not minimised: there was not enough time");
                return strbuf_take(&b);
        }
        strbuf_puts(&b, "minimised");
        if (!z->fewest)
                strbuf_printf(&b, " within %.1f s", z->seconds);
        strbuf_printf(&b, ": %u preemption%s", f->preemptions, f->preemptions == 1 ? "" : "s");
        if (z->was_preemptions != f->preemptions)
                strbuf_printf(&b, " (was %u)", z->was_preemptions);
        strbuf_puts(&b, z->fewest ? ", the fewest possible" : ", maybe not the fewest");
        strbuf_printf(&b, "; %u switch%s", z->switches, z->switches == 1 ? "" : "es");
        if (z->was_switches != z->switches)
                strbuf_printf(&b, " (was %u)", z->was_switches);
        return strbuf_take(&b);
}

char *story_inflection(struct symbols *s, const struct finding *f)
{
        const struct minimized *z = &f->minimized;
        struct strbuf b = STRBUF_INIT;
        struct delays d;

        if (!z->done || !z->inflection_known || z->inflection > f->trace->n_events)
                return NULL;
        if (!z->inflection) {
                strbuf_puts(&b, "every execution fails, whatever the schedule");
                return strbuf_take(&b);
        }
        if (delays_init(&d, f->trace))
                return NULL;
        strbuf_printf(&b, "after step %u, ", z->inflection);
        say_step(&b, s, &d, z->inflection - 1);
        delays_fini(&d);
        strbuf_puts(&b, ", the failure is unavoidable");
        return strbuf_take(&b);
}
