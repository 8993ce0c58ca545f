/*
 * Blocks of the heap: freed while in use, freed twice, lost.
 *
 * First the condition under which the block was freed is followed back (a reference count that lost an update).  Otherwise the
 * pointer is: a thread that handed it to another one uses it still, or it read it before the other thread freed the block.
 */
#include "op/op.h"
#include "report/cause/cause.h"

static bool points_into(const struct view *v, uint32_t i, const struct wire_block *b)
{
        const struct wire_event *e = &v->t->events[i];

        return e->size == 8 && e->value >= b->start && e->value < b->start + (b->size ? b->size : 1);
}

/* The last entry of `actor` before `end` that reads, or stores, a pointer to the block.  WIRE_NO_ACTOR: of any thread. */
static uint32_t pointer(const struct view *v, uint32_t actor, uint32_t end, const struct wire_block *b, bool store)
{
        for (uint32_t i = end; i-- > 0;)
                if ((actor == WIRE_NO_ACTOR || v->t->events[i].actor == actor) && points_into(v, i, b) &&
                    (store ? view_stores(v, i) : view_reads(v, i)))
                        return i;
        return VIEW_NONE;
}

static uint32_t free_of(const struct view *v, uint32_t end, const struct wire_block *b)
{
        for (uint32_t i = end; i-- > 0;)
                if (v->t->events[i].op == OP_FREE && v->t->events[i].obj == b->start &&
                    v->t->events[i].actor == b->freed_by)
                        return i;
        return VIEW_NONE;
}

static bool named(struct cause *c, enum cause_pattern pattern, uint32_t check, uint32_t foreign)
{
        c->pattern = pattern;
        c->check = check;
        c->foreign = foreign;
        if (check != VIEW_NONE)
                cause_add(c, check);
        if (foreign != VIEW_NONE)
                cause_add(c, foreign);
        return true;
}

static void begin(struct cause *c, const struct wire_failure *f)
{
        *c = (struct cause){.check = VIEW_NONE,
                            .foreign = VIEW_NONE,
                            .act = VIEW_NONE,
                            .thread = f->actor,
                            .other = f->block.freed_by};
}

/* The last entry of the failing thread. */
static uint32_t last_of(const struct view *v, const struct wire_failure *f)
{
        for (uint32_t i = f->event; i-- > 0;)
                if (v->t->events[i].actor == f->actor)
                        return i;
        return VIEW_NONE;
}

/* Has the thread checked the pointer that it uses now? */
static bool is_checked(struct view *v, uint32_t read)
{
        struct view_place p;
        const char *text = view_place(v, read, &p) ? view_line(v, &p, p.at.line) : NULL;

        return text && source_decides(text);
}

static uint32_t first_pointer(const struct view *v, uint32_t actor, uint32_t end, const struct wire_block *b)
{
        uint32_t first = VIEW_NONE;

        for (uint32_t i = end; i-- > 0;)
                if (v->t->events[i].actor == actor && points_into(v, i, b) && view_reads(v, i))
                        first = i;
        return first;
}

/* The thread has the pointer from another one, or from itself, and the block was freed since. */
static bool find_pointer(struct view *v, struct cause *c, const struct wire_failure *f, uint32_t freed)
{
        const struct wire_block *b = &f->block;
        uint32_t used = first_pointer(v, f->actor, f->event, b), gave = pointer(v, f->actor, f->event, b, true);
        uint32_t got = pointer(v, b->freed_by, freed == VIEW_NONE ? f->event : freed, b, false);

        if (gave != VIEW_NONE && got != VIEW_NONE && gave < got && b->actor == f->actor) {
                named(c, CAUSE_HAND_OVER, gave, got);
        } else if (used != VIEW_NONE) {
                bool checked = freed != VIEW_NONE && used < freed && is_checked(v, used);
                named(c, checked ? CAUSE_CHECK_THEN_ACT : CAUSE_STALE_POINTER, used, freed);
                c->act = last_of(v, f);
        } else {
                return false;
        }
        c->object = v->t->events[c->check].obj;
        c->object_op = OP_READ;
        if (freed != VIEW_NONE)
                cause_add(c, freed);
        return true;
}

/* A block that was freed, and is used or freed again. */
static bool find_freed(struct view *v, struct cause *c, const struct wire_failure *f)
{
        uint32_t freed = free_of(v, f->event, &f->block);

        begin(c, f);
        if (freed != VIEW_NONE && cause_conditions(v, c, freed) && c->pattern != CAUSE_CHECK_THEN_ACT) {
                cause_add(c, freed);
                return true;
        }
        begin(c, f);
        if (f->block.freed_by == f->actor || !f->block.n_freed)
                return false;
        return find_pointer(v, c, f, freed);
}

/* A block that nothing points to: the store that overwrote the last pointer. */
static bool find_lost(struct view *v, struct cause *c, const struct wire_failure *f)
{
        uint32_t put = pointer(v, WIRE_NO_ACTOR, v->t->n_events, &f->block, true), over;

        if (put == VIEW_NONE)
                return false;
        for (over = put + 1; over < v->t->n_events; over++)
                if (view_stores(v, over) && view_overlap(v, over, put))
                        break;
        if (over == v->t->n_events)
                return false;
        if (!cause_store(v, c, over) && !cause_store(v, c, put))
                c->pattern = CAUSE_STEPS;
        cause_add(c, put);
        cause_add(c, over);
        return true;
}

bool cause_blocks(struct view *v, struct cause *c)
{
        const struct wire_failure *f = &v->t->failures[v->f->failure];

        if (v->f->kind == FINDING_LEAK)
                return f->block.n_allocated && find_lost(v, c, f);
        return find_freed(v, c, f);
}
