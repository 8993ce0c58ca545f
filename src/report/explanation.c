/*
 * The story of a failure: the cause that report/cause finds, in words.
 */
#include "report/explanation.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "op/op.h"
#include "report/buffered.h"
#include "report/wording.h"
#include "report/step.h"
#include "report/cause/cause.h"
#include "report/cause/repair.h"
#include "trace/transaction.h"

static void say_step(struct strbuf *b, struct symbols *s, const struct delays *d, uint32_t i)
{
        const struct trace *t = d->t;
        const struct wire_event *e = &t->events[i];
        struct symbols_frame at = phrase_entry(s, t, i);
        const char *base = at.file ? strrchr(at.file, '/') : NULL, *word = op_verb(e->op);
        bool access = word && op_object(e->op) == OP_OBJ_MEMORY;
        char *step = access ? step_access(s, e) : step_text(s, d, i, false);
        size_t skip = word && !access ? strlen(op_name(e->op)) : 0;
        char txn[TRANSACTION_TEXT];

        if (trace_is_buffer(t, e->actor) || transaction_text(e, txn))
                strbuf_printf(b, "T%u's %s", trace_owner(t, e->actor), step ? step : "?");
        else
                strbuf_printf(b, "T%u %s%s%s", e->actor, word ? word : "does ", access ? " " : "",
                              step ? step + skip : "?");
        if (at.line)
                strbuf_printf(b, " (%s:%u)", base ? base + 1 : at.file, at.line);
        free(step);
}

/* "lost update of x: ". */
static void say_pattern(struct strbuf *b, const struct view *v, const struct cause *c)
{
        const char *name = cause_name(c->pattern);
        char object[160];

        if (!name)
                return;
        strbuf_puts(b, name);
        if (c->object_op != OP_NONE && c->pattern != CAUSE_LOCK_ORDER)
                strbuf_printf(b, c->pattern == CAUSE_LOST_UPDATE ? " of %s" : " on %s",
                              finding_object(object, sizeof object, v->s, c->object_op, c->object));
        strbuf_puts(b, ": ");
}

/* What the steps of a pattern come to. */
static void say_effect(struct strbuf *b, const struct view *v, const struct cause *c)
{
        const struct wire_event *events = v->t->events;
        char object[160];

        if (c->object_op != OP_NONE)
                finding_object(object, sizeof object, v->s, c->object_op, c->object);
        switch (c->pattern) {
        case CAUSE_LOST_UPDATE:
                strbuf_printf(b, "; T%u's write overwrites that of T%u, which it has not read", events[c->act].actor,
                              events[c->foreign].actor);
                break;
        case CAUSE_CHECK_THEN_ACT:
                strbuf_printf(b, "; what T%u had checked is no longer true", events[c->check].actor);
                break;
        case CAUSE_MISSING_RECHECK:
                strbuf_printf(b, "; T%u does not check %s again after its wait", events[c->check].actor, object);
                break;
        case CAUSE_ABA:
                strbuf_printf(b, "; %s has its old value again, so the compare-and-swap succeeds", object);
                break;
        case CAUSE_TORN_READ: strbuf_printf(b, "; T%u reads values of different times", events[c->check].actor); break;
        case CAUSE_TOO_EARLY:
                strbuf_printf(b, "; %s had not been written when T%u read it", object, events[c->check].actor);
                if (c->thread != WIRE_NO_ACTOR)
                        strbuf_printf(b, ", T%u was about to write it", c->thread);
                break;
        case CAUSE_STALE_POINTER:
                strbuf_printf(b, "; T%u uses the pointer to a block that T%u has freed", c->thread, c->other);
                break;
        case CAUSE_HAND_OVER:
                strbuf_printf(b, "; T%u still uses the block that it has handed to T%u", c->thread, c->other);
                break;
        case CAUSE_LOST_WAKEUP:
                strbuf_printf(b, "; the signal came before the wait, and T%u waits for another one", c->thread);
                break;
        case CAUSE_WRONG_WAITER:
                strbuf_printf(b, "; the signal woke T%u, and T%u still waits", c->other, c->thread);
                break;
        case CAUSE_NO_SIGNAL: strbuf_printf(b, "; no thread signals %s after that", object); break;
        case CAUSE_NOT_UNLOCKED: strbuf_printf(b, "; T%u ends and still holds it", c->thread); break;
        case CAUSE_SELF_LOCK: strbuf_printf(b, "%sT%u locks it again", c->n_steps ? "; " : "", c->thread); break;
        case CAUSE_JOIN_LOCKED: strbuf_printf(b, "; T%u joins a thread that waits for it", c->thread); break;
        default: break;
        }
}

/* The steps that matter, in their order, and what they come to. */
static void say_cause(struct strbuf *b, const struct view *v, const struct cause *c)
{
        say_pattern(b, v, c);
        if (c->pattern == CAUSE_WEAK) {
                buffered_tell(b, v->s, v->d, c->stores, c->n_stores);
                return;
        }
        for (uint32_t k = 0; k < c->n_steps; k++) {
                strbuf_puts(b, k ? ", then " : "");
                say_step(b, v->s, v->d, c->steps[k]);
        }
        say_effect(b, v, c);
}

/* Kinds whose message says all there is. */
static bool says_all(enum finding_kind kind)
{
        return kind == FINDING_RACE || kind == FINDING_LOCK_MISUSE || kind == FINDING_NONDETERMINISM;
}

/* What a report says of one cause. */
static char *with_cause(struct symbols *s, const struct finding *f,
                        bool (*say)(struct strbuf *b, struct view *v, const struct cause *c))
{
        struct strbuf b = STRBUF_INIT;
        struct delays d;
        struct view v = {.f = f, .t = f->trace, .s = s, .d = &d};
        struct cause c;
        bool any;

        if (delays_init(&d, f->trace))
                return NULL;
        cause_find(&v, &c);
        if (c.pattern == CAUSE_UNKNOWN && buffered_overtaken(&d, c.stores, &c.n_stores))
                c.pattern = CAUSE_WEAK;
        any = say(&b, &v, &c);
        view_fini(&v);
        delays_fini(&d);
        if (any)
                return strbuf_take(&b);
        strbuf_fini(&b);
        return NULL;
}

static bool tell(struct strbuf *b, struct view *v, const struct cause *c)
{
        const struct finding *f = v->f;
        char *message;

        if (c->pattern == CAUSE_UNKNOWN && f->minimized.inflection_known && !f->minimized.inflection)
                return false; /* no schedule is the cause */
        if (c->pattern == CAUSE_UNKNOWN) {
                strbuf_puts(b, "cause not determined");
                return true;
        }
        say_cause(b, v, c);
        message = f->kind == FINDING_DEADLOCK ? strdup("all of them are blocked")
                                              : finding_message(f->kind, f->trace, f->failure, v->s);
        strbuf_printf(b, "; %s", message ? message : "then it fails");
        free(message);
        return true;
}

static bool tell_repair(struct strbuf *b, struct view *v, const struct cause *c)
{
        if (c->pattern == CAUSE_WEAK)
                return buffered_fences(b, v->s, v->d, c->stores, c->n_stores);
        return repair_say(b, v, c);
}

static bool tell_fences(struct strbuf *b, struct view *v, const struct cause *c)
{
        return c->pattern == CAUSE_WEAK && buffered_fences(b, v->s, v->d, c->stores, c->n_stores);
}

static bool tell_pattern(struct strbuf *b, struct view *v, const struct cause *c)
{
        (void)v;
        strbuf_puts(b, cause_name(c->pattern) ? cause_name(c->pattern) : "");
        return cause_name(c->pattern) != NULL;
}

char *story_tell(struct symbols *s, const struct finding *f)
{
        return says_all(f->kind) ? NULL : with_cause(s, f, tell);
}

char *story_repair(struct symbols *s, const struct finding *f)
{
        return with_cause(s, f, tell_repair);
}

char *story_pattern(struct symbols *s, const struct finding *f)
{
        return with_cause(s, f, tell_pattern);
}

char *story_fences(struct symbols *s, const struct finding *f)
{
        return with_cause(s, f, tell_fences);
}

char *story_minimized(const struct finding *f)
{
        const struct minimized *z = &f->minimized;
        struct strbuf b = STRBUF_INIT;

        if (!z->tried)
                return NULL;
        if (!z->done) {
                strbuf_puts(&b, "not simplified: there was not enough time; `heddle explain --minimize 60s' with this "
                                "schedule continues");
                return strbuf_take(&b);
        }
        strbuf_puts(&b, "simplified ");
        if (z->timeout && !z->fewest)
                strbuf_printf(&b, "within %.1f s ", z->seconds);
        strbuf_printf(&b, "to %u preemption%s", f->preemptions, f->preemptions == 1 ? "" : "s");
        if (z->was_preemptions != f->preemptions)
                strbuf_printf(&b, " (found with %u)", z->was_preemptions);
        strbuf_printf(&b, " and %u switch%s", z->switches, z->switches == 1 ? "" : "es");
        if (z->was_switches != z->switches)
                strbuf_printf(&b, " (found with %u)", z->was_switches);
        if (!f->preemptions)
                return strbuf_take(&b);
        strbuf_puts(&b, z->fewest     ? "; no failing schedule has fewer preemptions"
                        : !z->timeout ? "; none with fewer preemptions was found along the recorded paths"
                                      : "; fewer preemptions may be enough (`heddle explain --minimize 60s' with this "
                                        "schedule continues)");
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
