/*
 * From entries to stretches.
 *
 * A stretch is a run of entries of one thread and its store buffer, in the order of the trace, with the numbers of
 * `replay --steps`.  Each stretch ends with the reason why another thread's turn came: the wait, the end, the failure, or
 * that it was preempted.  Long stretches keep their first and last steps.
 */
#include "report/timeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "op/op.h"
#include "report/wording.h"
#include "report/step.h"
#include "trace/schedule.h"
#include "trace/waits.h"

#define KEEP_FIRST 4u /* steps of a long stretch */
#define KEEP_LAST  6u

struct teller {
        struct stretches *out;
        struct symbols *symbols;
        const struct finding *finding;
        const struct trace *t;
        struct delays delays;
        bool verbose;
        int digits;                       /* of the number of an entry */
        uint32_t shown[WIRE_MAX_THREADS]; /* entries of each thread before this one have been shown */
        uint32_t n_events;                /* shown: up to a state in which an invariant does not hold, else all */
        uint32_t *next;                   /* of each entry: its thread's next one, or n_events */
        bool *preempted;                  /* after this entry: as the preemptions of the finding are counted */
        const char *function, *file;      /* of the last step shown in this stretch */
};

static bool is_told(const struct teller *w, uint32_t i)
{
        const struct wire_event *e = &w->t->events[i];

        if (e->op == OP_BARRIER_WAIT && !(e->flags & WIRE_EV_SCHED))
                return false; /* the other parts of an arrival */
        return !op_has(e->op, OPF_UNTOLD);
}

/* Takes the text over. */
static void add_line(struct teller *w, struct stretch *st, char *text, enum stretch_style style)
{
        if (!text) {
                w->out->failed = true;
                return;
        }
        if ((st->n & (st->n - 1)) == 0) { /* full exactly at powers of two */
                struct stretch_line *lines = realloc(st->lines, (st->n ? st->n * 2 : 1) * sizeof(*lines));
                if (!lines) {
                        free(text);
                        w->out->failed = true;
                        return;
                }
                st->lines = lines;
        }
        st->lines[st->n++] = (struct stretch_line){text, style};
}

static void say_function(struct strbuf *b, const char *name)
{
        char text[256];

        strbuf_puts(b, phrase_function(text, sizeof text, name));
}

/* Where the user wrote what entry i does; false: nowhere, or it is what a library does with memory of its own. */
static bool place_of(struct teller *w, uint32_t i, struct symbols_frame *place)
{
        uint64_t sites[WIRE_MAX_STACK];
        uint32_t n = trace_stack(w->t, i, sites, WIRE_MAX_STACK);

        if (phrase_user_frame(w->symbols, sites, n, place)) {
                const struct wire_event *e = &w->t->events[i];
                struct symbols_frame own;
                return w->verbose || op_object(e->op) != OP_OBJ_MEMORY || symbols_data(w->symbols, e->obj) ||
                       phrase_user_frame(w->symbols, sites, 1, &own);
        }
        *place = phrase_place(w->symbols, w->t->events[i].site);
        return n <= 1 || w->verbose || !place->line;
}

static void add_step(struct teller *w, struct stretch *st, uint32_t i)
{
        const struct wire_event *e = &w->t->events[i];
        struct symbols_frame place;
        if (!place_of(w, i, &place))
                return;
        char *step = step_text(w->symbols, &w->delays, i, true);
        struct strbuf b = STRBUF_INIT;
        const char *file = place.file ? place.file : "";

        if (!w->function && trace_is_buffer(w->t, e->actor)) {
                add_line(w, st, strdup("store buffer"), STRETCH_PLACE);
        } else if (!trace_is_buffer(w->t, e->actor) &&
                   (!w->function || strcmp(w->function, place.function) != 0 || strcmp(w->file, file) != 0)) {
                const char *base = strrchr(file, '/');
                say_function(&b, place.function);
                strbuf_printf(&b, "%s%s", file[0] ? " " : "", base ? base + 1 : file);
                add_line(w, st, strbuf_take(&b), STRETCH_PLACE);
                w->function = place.function;
                w->file = file;
        }
        strbuf_printf(&b, "%*u ", w->digits, i + 1);
        if (place.line)
                strbuf_printf(&b, ":%u ", place.line);
        strbuf_puts(&b, step ? step : "?");
        free(step);
        add_line(w, st, strbuf_take(&b), STRETCH_STEP);
}

/* The steps of the stretch that ends before entry `end`.  false: only what its store buffer does. */
static bool add_steps(struct teller *w, struct stretch *st, uint32_t end)
{
        uint32_t from = w->shown[st->actor], n = 0, k = 0;
        bool acts = false;

        for (uint32_t i = from; i < end; i++)
                n += trace_owner(w->t, w->t->events[i].actor) == st->actor && is_told(w, i);
        w->function = NULL;
        for (uint32_t i = from; i < end; i++) {
                if (trace_owner(w->t, w->t->events[i].actor) != st->actor || !is_told(w, i))
                        continue;
                acts = acts || w->t->events[i].actor == st->actor;
                bool middle = k >= KEEP_FIRST && k < n - KEEP_LAST;
                if (w->verbose || n <= KEEP_FIRST + KEEP_LAST + 1 || !middle) {
                        add_step(w, st, i);
                } else if (k == KEEP_FIRST) {
                        char *text = NULL;
                        if (asprintf(&text, "... %u more steps ...", n - KEEP_FIRST - KEEP_LAST) < 0)
                                text = NULL;
                        add_line(w, st, text, STRETCH_MORE);
                        w->function = NULL;
                }
                k++;
        }
        w->shown[st->actor] = end;
        return acts;
}

static void say_wait(struct strbuf *b, struct teller *w, const struct wait *wait)
{
        char object[160];

        finding_object(object, sizeof(object), w->symbols, wait->signal ? (uint32_t)OP_COND_WAIT : wait->op, wait->obj);
        if (wait->op == OP_JOIN)
                strbuf_printf(b, "waits for %s to end", object);
        else if (wait->signal)
                strbuf_printf(b, "waits for a signal on %s", wait->obj ? object : "a condition variable");
        else if (wait->op == OP_SPIN)
                strbuf_puts(b, "waits in a loop");
        else
                strbuf_printf(b, "waits for %s", object[0] ? object : op_name(wait->op));
        if (wait->op != OP_JOIN && wait->holder != WIRE_NO_ACTOR)
                strbuf_printf(b, ", held by T%u", wait->holder);
}

static void say_end(struct strbuf *b, struct teller *w, uint32_t actor, const struct wait *wait)
{
        switch (w->t->threads[actor].state) {
        case WIRE_T_DONE: strbuf_puts(b, "ends"); break;
        case WIRE_T_EXITED: strbuf_puts(b, "exits the program"); break;
        case WIRE_T_SPIN: strbuf_puts(b, "waits in a loop for a change that never comes"); break;
        case WIRE_T_ASSUME: strbuf_puts(b, "stopped: its assumption does not hold"); break;
        case WIRE_T_BUDGET: strbuf_puts(b, "stopped at a limit"); break;
        case WIRE_T_BLOCKED: say_wait(b, w, wait); break;
        default: strbuf_puts(b, "stopped here");
        }
}

/* The failure of this thread that falls into its last stretch, or NULL. */
static char *failure_of(struct teller *w, uint32_t actor)
{
        for (uint32_t i = 0; i < w->t->n_failures; i++)
                if (w->t->failures[i].actor == actor)
                        return finding_message(finding_kind_of(w->t->failures[i].kind), w->t, i, w->symbols);
        return NULL;
}

/* Does the thread continue after other threads' stores have reached memory, which takes no turn? */
static bool goes_on(const struct teller *w, uint32_t actor, uint32_t end)
{
        while (end < w->n_events && w->t->events[end].actor != actor &&
               (!trace_is_turn(&w->t->events[end]) || trace_is_buffer(w->t, w->t->events[end].actor)))
                end++;
        return end < w->n_events && w->t->events[end].actor == actor;
}

/* Does the last stretch fail, and not its thread?  So it is where a state is wrong, or a store that reaches memory. */
static bool fails_at_end(const struct teller *w)
{
        enum finding_kind kind = w->finding->kind;

        return kind == FINDING_INVARIANT || (kind == FINDING_USE_AFTER_FREE && w->n_events &&
                                             trace_is_buffer(w->t, w->t->events[w->n_events - 1].actor));
}

/* Is its thread preempted after an entry of the stretch? */
static bool is_preempted(const struct teller *w, const struct stretch *st)
{
        for (uint32_t i = st->first; i <= st->last; i++)
                if (w->preempted[i] && w->t->events[i].actor == st->actor)
                        return true;
        return false;
}

/* Why the stretch with last entry `last` was the last for now; `end` is the entry of another thread that follows. */
static void add_stop(struct teller *w, struct stretch *st, uint32_t last, uint32_t end)
{
        const struct trace *t = w->t;
        uint32_t next = w->next[last];
        struct strbuf b = STRBUF_INIT;
        struct wait wait = waits_at_switch(t, st->actor, end, next);
        enum stretch_style style = STRETCH_STOP;

        if (end == w->n_events && fails_at_end(w)) {
                char *message = finding_message(w->finding->kind, t, w->finding->failure, w->symbols);
                strbuf_puts(&b, message ? message : "fails");
                free(message);
                style = STRETCH_FAIL;
        } else if (is_preempted(w, st)) {
                strbuf_puts(&b, "preempted");
        } else if (next < t->n_events) {
                if (wait.could_run)
                        return; /* its turn is yet to come, or the failure comes first */
                say_wait(&b, w, &wait);
        } else if (t->threads[st->actor].state == WIRE_T_FAILED) {
                char *message = failure_of(w, st->actor);
                strbuf_puts(&b, message ? message : "fails");
                free(message);
                style = STRETCH_FAIL;
        } else if (end < t->n_events && wait.could_run) {
                return;
        } else {
                say_end(&b, w, st->actor, &wait);
        }
        add_line(w, st, strbuf_take(&b), style);
}

static struct stretch *new_stretch(struct teller *w, uint32_t actor, uint32_t end)
{
        struct stretches *out = w->out;

        if ((out->n & (out->n - 1)) == 0) {
                struct stretch *all = realloc(out->all, (out->n ? out->n * 2 : 1) * sizeof(*all));
                if (!all) {
                        out->failed = true;
                        return NULL;
                }
                out->all = all;
        }
        out->all[out->n] = (struct stretch){.actor = actor, .last = end ? end - 1 : 0, .end = end};
        return &out->all[out->n++];
}

static void add_stretch(struct teller *w, uint32_t actor, uint32_t last, uint32_t end)
{
        struct stretch *st = new_stretch(w, actor, end);

        if (!st)
                return;
        st->first = w->shown[actor];
        st->last = last;
        bool acts = add_steps(w, st, end);
        if ((end == w->n_events && fails_at_end(w)) || (acts && !goes_on(w, actor, end)))
                add_stop(w, st, last, end);
}

/* A stretch for a thread that has none, with the place of its stack.  NULL: it has one. */
static struct stretch *add_absent(struct teller *w, uint32_t actor, const uint64_t *sites, uint32_t n)
{
        struct symbols_frame at = phrase_where(w->symbols, sites, n);
        struct strbuf b = STRBUF_INIT;

        for (uint32_t i = 0; i < w->out->n; i++)
                if (w->out->all[i].actor == actor)
                        return NULL;
        struct stretch *st = new_stretch(w, actor, w->n_events);
        if (!st)
                return NULL;
        add_steps(w, st, w->n_events);
        if (at.function) {
                const char *base = at.file ? strrchr(at.file, '/') : NULL;
                say_function(&b, at.function);
                strbuf_printf(&b, "%s%s", at.file ? " " : "", base ? base + 1 : at.file ? at.file : "");
                if (at.line)
                        strbuf_printf(&b, ":%u", at.line);
                add_line(w, st, strbuf_take(&b), STRETCH_PLACE);
        }
        return st;
}

/* A thread that waits at the end and has done nothing that is shown. */
static void add_waiting(struct teller *w, uint32_t actor)
{
        uint64_t sites[WIRE_MAX_STACK + 1];
        uint32_t n = finding_thread_stack(w->t, actor, sites);
        struct stretch *st = add_absent(w, actor, sites, n);
        struct wait wait = waits_at_switch(w->t, actor, w->t->n_events, w->t->n_events);
        struct strbuf b = STRBUF_INIT;

        if (!st)
                return;
        say_end(&b, w, actor, &wait);
        add_line(w, st, strbuf_take(&b), STRETCH_STOP);
}

/* A thread that failed before its first turn, inside its parent's. */
static void add_failed(struct teller *w, uint32_t failure)
{
        const struct wire_failure *f = &w->t->failures[failure];
        uint64_t sites[WIRE_MAX_STACK + 1];
        uint32_t n = finding_stack(finding_kind_of(f->kind), w->t, failure, sites);
        struct stretch *st = add_absent(w, f->actor, sites, n);

        if (!st)
                return;
        char *message = finding_message(finding_kind_of(f->kind), w->t, failure, w->symbols);
        add_line(w, st, message ? message : strdup("fails"), STRETCH_FAIL);
}

/* Fills w->next from the end backwards, and w->preempted. */
static int find_next(struct teller *w)
{
        uint32_t n = w->t->n_events;
        uint32_t next[WIRE_MAX_THREADS];

        w->next = malloc((n + 1) * sizeof(*w->next));
        w->preempted = malloc((n + 1) * sizeof(*w->preempted));
        if (!w->next || !w->preempted)
                return -1;
        schedule_preemptions(w->t, w->finding->failure, w->preempted);
        for (uint32_t i = 0; i < WIRE_MAX_THREADS; i++)
                next[i] = n;
        for (uint32_t i = n; i-- > 0;) {
                w->next[i] = next[trace_owner(w->t, w->t->events[i].actor)];
                if (!trace_is_buffer(w->t, w->t->events[i].actor))
                        next[w->t->events[i].actor] = i;
        }
        return 0;
}

/* The thread that entry i is shown for: what a store buffer does is its thread's. */
static uint32_t owner(const struct teller *w, uint32_t i)
{
        return trace_owner(w->t, w->t->events[i].actor);
}

void stretches_init(struct stretches *s, struct symbols *symbols, const struct finding *f, bool verbose)
{
        struct teller w = {.out = s, .symbols = symbols, .finding = f, .t = f->trace, .verbose = verbose};
        uint32_t last = UINT32_MAX; /* the last entry of the stretch under way */

        *s = (struct stretches){0};
        if (delays_init(&w.delays, w.t) || find_next(&w)) {
                s->failed = true;
                goto out;
        }
        for (uint32_t n = w.t->n_events; n; n /= 10)
                w.digits++;
        w.n_events = w.t->n_events;
        if (f->failure < w.t->n_failures && w.t->failures[f->failure].event <= w.t->n_events)
                w.n_events = w.t->failures[f->failure].event; /* nothing is shown after it */
        for (uint32_t i = 0; i < w.n_events; i++) {
                if (!trace_is_turn(&w.t->events[i]) && !is_told(&w, i))
                        continue;
                if (last != UINT32_MAX && owner(&w, last) != owner(&w, i))
                        add_stretch(&w, owner(&w, last), last, i);
                last = i;
        }
        if (last != UINT32_MAX)
                add_stretch(&w, owner(&w, last), last, w.n_events);
        for (uint32_t i = 0; i < w.t->n_failures; i++)
                if (w.t->failures[i].event <= w.n_events)
                        add_failed(&w, i);
        for (uint32_t i = 0; i < w.t->n_threads && f->failure >= w.t->n_failures; i++)
                if (w.t->threads[i].state == WIRE_T_BLOCKED || w.t->threads[i].state == WIRE_T_SPIN)
                        add_waiting(&w, i);
out:
        delays_fini(&w.delays);
        free(w.preempted);
        free(w.next);
}

void stretches_fini(struct stretches *s)
{
        for (uint32_t i = 0; i < s->n; i++) {
                for (uint32_t k = 0; k < s->all[i].n; k++)
                        free(s->all[i].lines[k].text);
                free(s->all[i].lines);
        }
        free(s->all);
        *s = (struct stretches){0};
}
