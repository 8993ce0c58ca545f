/* One entry in words, and what weak memory has to do with it. */
#include "report/step.h"

#include <stdlib.h>

#include "base/strbuf.h"
#include "op/op.h"
#include "report/wording.h"
#include "trace/finding.h"
#include "trace/transaction.h"

/* What is freed, with its size: "node (32 bytes, allocated at queue.c:40 by T1)"; NULL: not known. */
static const char *freed_block(struct symbols *s, const struct wire_event *e)
{
        return e->op == OP_FREE ? symbols_block(s, e->obj) : NULL;
}

static void say_object(struct strbuf *b, struct symbols *s, const struct wire_event *e)
{
        const char *block = freed_block(s, e);
        char object[160];

        strbuf_puts(b, block ? block
                             : finding_object(object, sizeof(object), s,
                                              op_object(e->op) == OP_OBJ_BARRIER ? e->op : (uint32_t)OP_READ, e->obj));
}

static void say_value(struct strbuf *b, struct symbols *s, const struct wire_event *e)
{
        bool access = op_object(e->op) == OP_OBJ_MEMORY && e->op != OP_FREE;
        char value[160];

        if (e->weak & WIRE_WEAK_UNSAID || freed_block(s, e))
                return;
        if (access && e->size <= 8)
                strbuf_printf(b, " = %s", phrase_text(value, sizeof(value), s, e->value, e->size));
        else if (access || e->op == OP_FREE)
                strbuf_printf(b, " (%u bytes)", e->size);
}

char *step_access(struct symbols *s, const struct wire_event *e)
{
        struct strbuf b = STRBUF_INIT;

        if (e->op == OP_SPIN_UNLOCK)
                strbuf_puts(&b, "unlock of ");
        say_object(&b, s, e);
        say_value(&b, s, e);
        return strbuf_take(&b);
}

/* "T1's x = 1 of step 2". */
static void say_store(struct strbuf *b, struct symbols *s, const struct delays *d, uint32_t store, bool numbered)
{
        const struct wire_event *e = &d->t->events[store];
        char *what = step_access(s, e);

        strbuf_printf(b, "T%u's %s", e->actor, what ? what : "store");
        if (numbered)
                strbuf_printf(b, " of step %u", store + 1);
        free(what);
}

/* What weak memory has to do with entry i. */
static void say_delay(struct strbuf *b, struct symbols *s, const struct delays *d, uint32_t i, bool numbered)
{
        const struct wire_event *e = &d->t->events[i];
        struct delay of = delays_of(d, i);
        bool flush = trace_is_buffer(d->t, e->actor), reads = op_has(e->op, OPF_LOADS);

        if (flush)
                strbuf_puts(b, " reaches memory");
        if (delays_hidden(d, i) && !numbered)
                return;
        if (e->weak & WIRE_WEAK_BUFFERED) {
                strbuf_puts(b, " (in its store buffer");
                if (numbered && of.pair != DELAYS_NONE)
                        strbuf_printf(b, " until step %u", of.pair + 1);
                else if (of.pair == DELAYS_NONE)
                        strbuf_puts(b, " to the end");
                strbuf_puts(b, ")");
        } else if (of.past != DELAYS_NONE) {
                strbuf_puts(b, reads ? " (" : ", before ");
                say_store(b, s, d, of.past, numbered);
                strbuf_puts(b, reads ? " is still in its store buffer)" : flush ? "" : " reaches memory");
        } else if (!flush && of.pair != DELAYS_NONE) {
                strbuf_puts(b, " (from its own store buffer)");
        }
}

char *step_text(struct symbols *s, const struct delays *d, uint32_t i, bool numbered)
{
        const struct wire_event *e = &d->t->events[i];
        struct strbuf b = STRBUF_INIT;
        bool asks_memory = e->op == OP_CHOOSE && e->size; /* --fail-malloc */
        uint32_t store = delays_of(d, i).pair;
        char value[160], txn[TRANSACTION_TEXT];

        if (trace_is_buffer(d->t, e->actor)) {
                char *what = step_access(s, e);
                strbuf_puts(&b, what ? what : "?");
                if (numbered && store != DELAYS_NONE)
                        strbuf_printf(&b, " of step %u", store + 1);
                free(what);
                say_delay(&b, s, d, i, numbered);
                return strbuf_take(&b);
        }
        if (transaction_text(e, txn)) {
                strbuf_puts(&b, txn);
                return strbuf_take(&b);
        }
        strbuf_puts(&b, e->op == OP_WAKE ? "wakes" : asks_memory ? "malloc" : op_name(e->op));
        if (op_object_named(op_object(e->op))) {
                strbuf_puts(&b, " ");
                say_object(&b, s, e);
        }
        say_value(&b, s, e);
        if (e->op == OP_CHOOSE && !asks_memory)
                strbuf_printf(&b, " %u", e->choice);
        say_delay(&b, s, d, i, numbered);
        if (e->flags & WIRE_EV_FAILED)
                strbuf_puts(&b, ", which fails");
        if (e->op >= OP_USER && op_user_print(value, sizeof(value), e))
                strbuf_printf(&b, " (%s)", value);
        return strbuf_take(&b);
}
