/*
 * What makes the difference to sequential consistency are stores that another thread could tell to be late *and* that their
 * own thread overtook: it read memory, or a later store of it was in memory, before they were.  Without the second the
 * thread might as well have made its store later; that is told where there is nothing else.
 *
 * A fence between a store and what overtook it forbids the execution: a full one where that is a read; where it is another
 * store (pso), release order is enough.
 */
#include "report/buffered.h"

#include <stdlib.h>
#include <string.h>

#include "op/op.h"
#include "report/wording.h"
#include "report/step.h"
#include "trace/finding.h"

#define MAX_TOLD 3u

/* The last few stores to be told, in the order of those who could tell. */
struct choice {
        uint32_t store[MAX_TOLD];
        uint32_t n;
};

static bool matters(const struct delays *d, uint32_t i, bool overtaken)
{
        struct delay of = delays_of(d, i);

        return (d->t->events[i].weak & WIRE_WEAK_BUFFERED) && of.past != DELAYS_NONE &&
               (!overtaken || of.own != DELAYS_NONE);
}

static void choose(struct choice *c, const struct delays *d, bool overtaken)
{
        c->n = 0;
        for (uint32_t i = 0; d->of && i < d->t->n_events; i++) { /* the latest of those who could tell stay */
                uint32_t k = 0;
                if (!matters(d, i, overtaken))
                        continue;
                while (k < c->n && d->of[c->store[k]].past != d->of[i].past)
                        k++;
                if (k < c->n) { /* of several that are passed by at once, the newest */
                        c->store[k] = i;
                        continue;
                }
                if (c->n == MAX_TOLD && d->of[c->store[0]].past > d->of[i].past)
                        continue;
                if (c->n == MAX_TOLD)
                        memmove(c->store, c->store + 1, (--c->n) * sizeof *c->store);
                for (k = c->n++; k > 0 && d->of[c->store[k - 1]].past > d->of[i].past; k--)
                        c->store[k] = c->store[k - 1];
                c->store[k] = i;
        }
}

/* " (sb.c:6, step 6)". */
static void say_place(struct strbuf *b, struct symbols *s, const struct trace *t, uint32_t i)
{
        struct symbols_frame at = phrase_entry(s, t, i);
        const char *base = at.file ? strrchr(at.file, '/') : NULL;

        strbuf_puts(b, " (");
        if (at.line)
                strbuf_printf(b, "%s:%u, ", base ? base + 1 : at.file, at.line);
        strbuf_printf(b, "step %u)", i + 1);
}

/* "x = 1 (sb.c:5, step 2)". */
static void say_access(struct strbuf *b, struct symbols *s, const struct trace *t, uint32_t i)
{
        char *what = step_access(s, &t->events[i]);

        strbuf_puts(b, what ? what : "?");
        say_place(b, s, t, i);
        free(what);
}

/* Who wrote, and when: of what reaches memory, the store. */
static void say_write(struct strbuf *b, struct symbols *s, const struct delays *d, uint32_t i)
{
        const struct trace *t = d->t;
        uint32_t store = trace_is_buffer(t, t->events[i].actor) ? delays_of(d, i).pair : i;

        strbuf_printf(b, "T%u's ", trace_owner(t, t->events[i].actor));
        say_access(b, s, t, store == DELAYS_NONE ? i : store);
}

static void tell(struct strbuf *b, struct symbols *s, const struct delays *d, uint32_t i)
{
        const struct trace *t = d->t;
        struct delay of = delays_of(d, i);
        const struct wire_event *past = &t->events[of.past];
        uint32_t thread = t->events[i].actor;

        if (past->mode != WIRE_MODE_READ && past->mode != WIRE_MODE_NONE) {
                say_write(b, s, d, i);
                strbuf_printf(b, " waits in T%u's store buffer while ", thread);
                say_write(b, s, d, of.past);
                strbuf_puts(b, " reaches memory");
                if (of.pair != DELAYS_NONE)
                        strbuf_printf(b, ", and overwrites it at step %u", of.pair + 1);
                return;
        }
        strbuf_printf(b, "T%u %s ", past->actor, past->op == OP_SPIN_TRYLOCK ? "tries" : "reads");
        say_access(b, s, t, of.past);
        strbuf_puts(b, ": ");
        say_write(b, s, d, i);
        strbuf_printf(b, " is still in T%u's store buffer", thread);
        if (of.pair != DELAYS_NONE)
                strbuf_printf(b, " and reaches memory at step %u", of.pair + 1);
        if (of.own != DELAYS_NONE && trace_is_buffer(t, t->events[of.own].actor)) {
                strbuf_puts(b, ", though ");
                say_write(b, s, d, of.own);
                strbuf_printf(b, ", stored after it, is there since step %u", of.own + 1);
        }
}

bool buffered_tell(struct strbuf *b, struct symbols *s, const struct delays *d, bool overtaken)
{
        struct choice c;

        choose(&c, d, overtaken);
        for (uint32_t k = 0; k < c.n; k++) {
                strbuf_puts(b, k ? "; " : "");
                tell(b, s, d, c.store[k]);
        }
        return c.n > 0;
}

/* Where the fence goes: between a store and what overtook it. */
static void say_between(struct strbuf *b, struct symbols *s, const struct delays *d, uint32_t i)
{
        const struct trace *t = d->t;
        uint32_t own = delays_of(d, i).own, store = delays_of(d, own).pair;
        char object[160];

        strbuf_puts(b, " between ");
        say_access(b, s, t, i);
        if (trace_is_buffer(t, t->events[own].actor)) {
                strbuf_puts(b, " and ");
                say_access(b, s, t, store == DELAYS_NONE ? own : store);
        } else {
                strbuf_printf(b, " and the read of %s",
                              finding_object(object, sizeof object, s, OP_READ, t->events[own].obj));
                say_place(b, s, t, own);
        }
        strbuf_printf(b, " in T%u", t->events[i].actor);
}

bool buffered_fences(struct strbuf *b, struct symbols *s, const struct delays *d)
{
        static const char *const fences[] = {"a full fence, atomic_thread_fence(memory_order_seq_cst),",
                                             "release order, atomic_thread_fence(memory_order_release),"};
        struct choice c;
        uint32_t told = 0;

        choose(&c, d, true);
        for (uint32_t release = 0; release < 2; release++) {
                uint32_t same = 0;
                for (uint32_t k = 0; k < c.n; k++) {
                        uint32_t own = d->of[c.store[k]].own;
                        if ((uint32_t)trace_is_buffer(d->t, d->t->events[own].actor) != release)
                                continue;
                        if (same++ == 0)
                                strbuf_printf(b, "%s%s", told ? "; " : "it takes ", fences[release]);
                        else
                                strbuf_puts(b, ", and");
                        say_between(b, s, d, c.store[k]);
                        told++;
                }
        }
        if (told)
                strbuf_puts(b, " to forbid this");
        return told > 0;
}
