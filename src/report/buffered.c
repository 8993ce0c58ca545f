/*
 * What makes the difference to sequential consistency are stores that another thread could tell to be late *and* that their
 * own thread overtook: it read memory, or a later store of it was in memory, before they were.  Without the second the
 * thread might as well have made its store later; that is reported where there is nothing else.
 *
 * The weakest order that forbids the execution: release order at the later store by which the other thread learnt of this one;
 * a full fence only where a read overtook the store and no such store exists.
 */
#include "report/buffered.h"

#include <stdlib.h>
#include <string.h>

#include "op/op.h"
#include "report/wording.h"
#include "report/step.h"
#include "trace/finding.h"

#define MAX_TOLD BUFFERED_MAX

/* The last few stores to report, in the order of the threads that observe them. */
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
        for (uint32_t i = 0; d->of && i < d->t->n_events; i++) { /* the latest observations stay */
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

/* Which thread wrote, and when: of what reaches memory, the store. */
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

void buffered_tell(struct strbuf *b, struct symbols *s, const struct delays *d, const uint32_t *stores, uint32_t n)
{
        for (uint32_t k = 0; k < n; k++) {
                strbuf_puts(b, k ? "; " : "");
                tell(b, s, d, stores[k]);
        }
}

bool buffered_overtaken(const struct delays *d, uint32_t stores[BUFFERED_MAX], uint32_t *n)
{
        struct choice c;

        choose(&c, d, true);
        memcpy(stores, c.store, c.n * sizeof *stores);
        *n = c.n;
        return c.n > 0;
}

/* The store of the same thread that another thread had read when it missed store i: to publish that one in release order is
 * enough.  DELAYS_NONE: there is none. */
static uint32_t published(const struct delays *d, uint32_t i)
{
        const struct trace *t = d->t;
        uint32_t missed = delays_of(d, i).past;

        if (missed == DELAYS_NONE)
                return DELAYS_NONE;
        for (uint32_t k = missed; k-- > i + 1;) { /* a store after i in memory, read by the thread that missed i */
                const struct wire_event *e = &t->events[k];
                uint32_t reach = delays_of(d, k).pair;
                if (e->actor != t->events[i].actor || !(e->weak & WIRE_WEAK_BUFFERED) || reach == DELAYS_NONE ||
                    reach > missed)
                        continue;
                for (uint32_t r = reach; r < missed; r++)
                        if (t->events[r].actor == t->events[missed].actor && t->events[r].obj == e->obj &&
                            (op_has(t->events[r].op, OPF_LOADS) || op_has(t->events[r].op, OPF_LOOKS)))
                                return k;
        }
        return DELAYS_NONE;
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

/* "use memory_order_release for l = 0 (f.c:5, step 7) in T1". */
static void say_release(struct strbuf *b, struct symbols *s, const struct trace *t, uint32_t store)
{
        bool atomic = op_has(t->events[store].op, OPF_ATOMIC);

        strbuf_puts(b, atomic ? "store with memory_order_release: "
                              : "release order, atomic_thread_fence(memory_order_release), before ");
        say_access(b, s, t, store);
        strbuf_printf(b, " in T%u", t->events[store].actor);
}

bool buffered_fences(struct strbuf *b, struct symbols *s, const struct delays *d, const uint32_t *stores, uint32_t n)
{
        uint32_t full = 0, told = 0;

        for (uint32_t k = 0; k < n; k++) {
                uint32_t own = delays_of(d, stores[k]).own, store = published(d, stores[k]);
                if (store == DELAYS_NONE && own != DELAYS_NONE && trace_is_buffer(d->t, d->t->events[own].actor))
                        store = delays_of(d, own).pair;
                if (store == DELAYS_NONE)
                        continue;
                strbuf_puts(b, told++ ? ", and " : "");
                say_release(b, s, d->t, store);
        }
        for (uint32_t k = 0; k < n; k++) {
                uint32_t own = delays_of(d, stores[k]).own;
                if (own == DELAYS_NONE || published(d, stores[k]) != DELAYS_NONE ||
                    trace_is_buffer(d->t, d->t->events[own].actor))
                        continue;
                if (!full++)
                        strbuf_printf(b, "%sa full fence, atomic_thread_fence(memory_order_seq_cst),",
                                      told++ ? "; " : "");
                else
                        strbuf_puts(b, ", and");
                say_between(b, s, d, stores[k]);
        }
        return told > 0;
}
