/*
 * See changes.h.
 *
 * A store that is delayed (rt/weak) is a change when it reaches memory.  Where between two operations of its thread it does so is
 * left open by a trace, unless the thread waits for its buffer: a round whose own stores may still be there is not judged.
 */
#include "rt/loops/changes.h"

#include "rt/loops/cut_state.h"
#include "rt/loops/places.h"
#include "rt/loops/registers.h"
#include "rt/loops/words.h"
#include "rt/memory/heap.h"
#include "rt/memory/shadow.h"
#include "rt/sync/object.h"
#include "rt/threads.h"
#include "rt/weak/mm.h"

/* Notes. */

void changes_settle(struct cut *c)
{
        for (; c->n_settled < c->n_changes; c->n_settled++) {
                struct change *x = &c->changes[c->n_settled];
                x->after = x->lock ? x->lock->state : word_at(x->addr, x->size);
        }
}

/* One more change; false: there is no more room. */
static bool note(struct cut *c, struct change x)
{
        if (c->n_changes == CUT_MAX_CHANGES)
                return false;
        x.event = ex.n_events;
        c->changes[c->n_changes++] = x;
        return true;
}

bool changes_write(const struct thread *t, struct cut *c, uint64_t obj, uint32_t size)
{
        changes_settle(c);
        for (uint32_t n; size; obj += n, size -= n) {
                bool shared = shadow_is_shared(obj);

                n = 8 - (uint32_t)(obj & 7);
                n = n < size ? n : size;
                if (shared && mm_is_delayed(t, obj, n))
                        continue;
                if (shared && !mm_is_drained(&t->weak)) /* it stays behind, or overtakes */
                        return false;
                if ((shared || !spin_stack_has(t, obj)) &&
                    !note(c, (struct change){.addr = obj, .size = n, .before = word_at(obj, n), .shared = shared}))
                        return false;
        }
        return true;
}

bool changes_perform(const struct thread *t, struct cut *c)
{
        const struct pending *p = &t->pend;

        changes_settle(c);
        return p->object && places_lock(p->op) &&
               note(c,
                    (struct change){
                            .addr = p->obj, .size = 8, .lock = p->object, .before = p->object->state, .shared = true});
}

bool changes_reach(struct cut *c, const struct mm_reached *r)
{
        struct change x = {.serial = r->serial, .shared = true, .lock = r->object};
        const uint8_t *before = r->before, *after = r->after;
        uint32_t size = r->size;

        for (x.addr = r->addr; size; x.addr += x.size, size -= x.size, before += x.size, after += x.size) {
                x.size = 8 - (uint32_t)(x.addr & 7);
                x.size = x.size < size ? x.size : size;
                x.before = x.lock ? x.lock->state : word_at((uintptr_t)before, x.size);
                x.after = x.lock ? 0 : word_at((uintptr_t)after, x.size);
                if (x.lock)
                        size = x.size = 8;
                if (c->n_settled != c->n_changes || !note(c, x))
                        return false;
                c->n_settled++;
        }
        return true;
}

/* Rounds. */

/* Was it made before the visit, and has only reached memory since? */
static bool older(const struct change *x, uint32_t serial)
{
        return x->serial && x->serial <= serial;
}

/* Has another thread accessed what the change x is about, between two entries?  Bytes from its own buffer are none of memory. */
static bool touched_between(const struct thread *t, const struct change *x, uint32_t from, uint32_t to)
{
        for (uint32_t i = from; i < to; i++) {
                const struct wire_event *e = &rt.up->events[i];

                if (e->mode != WIRE_MODE_NONE && e->mode != WIRE_MODE_FORWARD &&
                    overlap(e->obj, e->size, x->addr, x->size) && thread_owner(&threads[e->actor]) != t->id)
                        return true;
        }
        return false;
}

/* Has the last change of this place an effect, and leaves another value than the first one found?  So it is in loops that
 * count. */
static bool ends_otherwise(const struct cut *c, const struct change *x)
{
        uint32_t k = c->n_changes - 1;

        while (c->changes[k].addr != x->addr)
                k--;
        return x->shared && c->changes[k].size == x->size && c->changes[k].after != x->before &&
               c->changes[k].after != c->changes[k].before;
}

/* Change i is the first of its place since a visit: is all as if there had been none?  Shared places must have been restored
 * before another thread looked. */
static bool undone(const struct thread *t, const struct cut *c, uint32_t i)
{
        const struct change *x = &c->changes[i], *last = x;
        bool effect = x->before != x->after;

        if (ends_otherwise(c, x))
                return false;
        for (uint32_t k = i + 1; k < c->n_changes; k++) {
                const struct change *y = &c->changes[k];

                if (!overlap(x->addr, x->size, y->addr, y->size))
                        continue;
                if (y->addr != x->addr || y->size != x->size || y->lock != x->lock)
                        return false;
                effect |= y->before != y->after;
                last = y;
        }
        if (!x->shared)
                return word_at(x->addr, x->size) == x->before;
        return !effect || (last->after == x->before && !touched_between(t, x, x->event, last->event));
}

static bool is_first(const struct cut *c, const struct visit *v, uint32_t i)
{
        for (uint32_t k = v->n_changes; k < i; k++)
                if (c->changes[k].addr == c->changes[i].addr && !older(&c->changes[k], v->serial))
                        return false;
        return true;
}

/* Has it read a part of what it wrote, and something else with it? */
static bool reads_across(const struct cut *c, const struct visit *v, const struct change *x)
{
        for (uint32_t i = v->n_reads; x->shared && i < c->n_reads; i++) {
                const struct look *r = &c->reads[i];

                if (overlap(r->obj, r->size, x->addr, x->size) &&
                    (r->obj < x->addr || r->obj + r->size > x->addr + x->size) && !x->lock)
                        return true;
        }
        return false;
}

bool changes_none(const struct thread *t, const struct cut *c, const struct visit *v)
{
        for (uint32_t i = v->n_changes; i < c->n_changes; i++)
                if (!older(&c->changes[i], v->serial))
                        return false;
        return mm_serial(t) == v->serial;
}

bool changes_none_seen(const struct thread *t, const struct cut *c, const struct visit *v)
{
        if (t->weak.undrained && mm_serial(t) != v->serial)
                return false;
        for (uint32_t i = v->n_changes; i < c->n_changes; i++)
                if (!older(&c->changes[i], v->serial) && c->changes[i].before != c->changes[i].after)
                        return false;
        return true;
}

bool changes_undone(const struct thread *t, const struct cut *c, const struct visit *v)
{
        if (t->weak.undrained && mm_serial(t) != v->serial)
                return false;
        for (uint32_t i = v->n_changes; i < c->n_changes; i++)
                if (!older(&c->changes[i], v->serial) && is_first(c, v, i) &&
                    (!undone(t, c, i) || reads_across(c, v, &c->changes[i])))
                        return false;
        return true;
}

/* Would another round change nothing, either?  A store of the value that was there does, once another thread has written. */
bool changes_current(const struct cut *c)
{
        const struct visit last = {.n_changes = c->last_change, .serial = c->last_serial};

        for (uint32_t i = c->last_change; i < c->n_changes; i++) {
                const struct change *x = &c->changes[i];

                if (!x->shared || older(x, c->last_serial) || !is_first(c, &last, i))
                        continue;
                if (x->lock ? x->lock->state != x->before
                            : !memory_is_there(x->addr) || word_at(x->addr, x->size) != x->before)
                        return false;
        }
        return true;
}

/* Between the first change of a place in the last round and the last one no other thread looked there, if they had an effect. */
bool changes_seen(const struct cut *c, const struct look *r)
{
        const struct change *first = NULL;
        bool effect = false, later = false;
        uint32_t at = 0;

        for (uint32_t i = c->last_change; i < c->n_changes; i++) {
                const struct change *x = &c->changes[i];

                if (older(x, c->last_serial) || x->lock || !overlap(r->obj, r->size, x->addr, x->size))
                        continue;
                at = first ? at : i;
                first = first ? first : x;
                effect |= x->before != x->after;
                later |= i >= r->n_changes;
        }
        return first && (r->serial > c->last_serial || (effect && later && at < r->n_changes));
}
