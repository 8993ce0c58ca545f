/*
 * See await.h and docs/proofs/loops.md, which has the argument.
 *
 * A round of one read, and of no other access but to the own stack, leads back to where it began, or does not: that follows from
 * the live part of the thread's registers and stack, and the value.  What uninstrumented code knows may depend on more, so all that the
 * thread has read so far counts, too (`history`).  A read that is found to lead back ends the execution.  The explorer adds it to `wasted` and runs the same again;
 * there the thread does not read but waits.  Where the schedule asks for the read, the execution ends behind it.
 *
 * A read that waits is not in the trace, and so in no data race, and not the cause of an abort.  So only atomic reads wait, and
 * not for what is also written otherwise, or is in a line of a transaction that may abort by a conflict.
 */
#include "rt/loops/await.h"

#include "base/hash.h"
#include "rt/loops/learnt.h"
#include "rt/loops/places.h"
#include "rt/loops/registers.h"
#include "rt/loops/words.h"
#include "rt/memory/heap.h"
#include "rt/position.h"
#include "rt/sched/end.h"
#include "rt/threads.h"
#include "rt/weak/mm.h"

#define FAR_BACK 16384u /* entries in which the write is looked for that a read could have come before */

bool await_notes;
static bool any;             /* a thread may wait */
static uint32_t n_performed; /* of `awaits` */
static uint64_t mixed[64];   /* bits of granules for which reads do not wait */

void await_init_run(void)
{
        const uint32_t flags = WIRE_CUT_LOOPS | WIRE_AWAITS;

        await_notes = (rt.flags & flags) == flags && !rt.segments && rt.down->n_loops && !rt.down->watch_always;
        any = false;
        if (await_notes)
                rt_zero(mixed, sizeof mixed);
        rt.up->n_wasted = rt.up->restart = rt.up->n_awaits = n_performed = 0;
}

/* Reads. */

static bool in_granule(uint64_t obj, uint32_t size)
{
        return size && size <= 8 && (obj & 7) + size <= 8 && !(obj >> 47);
}

static uint32_t mixed_bit(uint64_t obj)
{
        return (uint32_t)(hash_mix(3, obj >> 3) >> 40) % (64 * 64);
}

/* The part of an aligned word that an access touches. */
static uint64_t part_of(uint64_t word, uint64_t obj, uint32_t size)
{
        return size == 8 ? word : word >> (obj & 7) * 8 & ((UINT64_C(1) << size * 8) - 1);
}

static uint64_t read_hash(const struct thread *t, uint64_t value)
{
        return hash_mix(hash_mix(t->spin.await_key, t->pend.obj), value) | 1;
}

/* Is it known that the thread, if it reads this value, is back? */
static bool leads_back(const struct thread *t, uint64_t value)
{
        return rt.down->n_wasted && learnt_has(read_hash(t, value));
}

/* In the table: reads of the object do not wait. */
static uint64_t mixed_hash(uint64_t obj)
{
        return hash_mix(7, obj & ~UINT64_C(7)) | 1;
}

/* What a thread knows. */

void await_opaque(struct thread *t)
{
        t->spin.opaque = true;
}

/* With what is known of its last entry only after it was made. */
static uint64_t history(const struct spin_state *s)
{
        const struct wire_event *e = rt.up->events;

        if (!s->last)
                return 0;
        e += s->last - 1; /* which buffer took a store is none of the thread's business */
        return s->history ^ ((uint64_t)(e->weak & WIRE_WEAK_BUFFERED ? 0 : e->choice) << 8 | e->flags) * HASH_GOLDEN;
}

void await_accessed(uint64_t obj, uint32_t size)
{
        for (uint64_t g = obj & ~UINT64_C(7); await_notes && g < obj + size && g < obj + 4096; g += 8)
                mixed[mixed_bit(g) / 64] |= UINT64_C(1) << mixed_bit(g) % 64;
}

void await_peeks(struct thread *t, uint64_t addr)
{
        bool own = !spin_stack_has(t, addr);

        t->spin.peeked |= own;
        t->spin.strayed |= own;
}

void await_entry(struct thread *t, uint32_t i)
{
        const struct wire_event *e = &rt.up->events[i];
        struct spin_state *s = &t->spin;
        bool memory = op_object(e->op) == OP_OBJ_MEMORY && in_granule(e->obj, e->size);
        bool delayed = e->mode == WIRE_MODE_NONE && op_has(e->op, OPF_BUFFERED);

        if (thread_is_buffer(t) || e->op == OP_FORWARD) /* that does not tell more than the store, or the load */
                return;
        if ((e->mode == WIRE_MODE_WRITE || delayed) && !op_has(e->op, OPF_ATOMIC) && ex.n_threads > 1)
                await_accessed(e->obj, e->size);
        if (!memory && e->mode != WIRE_MODE_NONE && !places_lock(e->op) && e->op != OP_JOIN && e->op != OP_CREATE)
                s->opaque = true;
        if (s->opaque) /* then it does not wait, and what it knows is not asked */
                return;
        s->history = hash_mix(hash_mix(history(s), e->obj), (uint64_t)e->size << 40 | (uint64_t)e->op << 32);
        if (!delayed)
                s->history = hash_mix(s->history, memory ? part_of(rt.up->before[i], e->obj, e->size) : e->value);
        s->last = i + 1;
}

void await_visit(struct thread *t, uint64_t local, uint32_t visits)
{
        const struct pending *p = &t->pend;
        struct spin_state *s = &t->spin;
        uintptr_t low;

        if (p->op != OP_LOAD || s->opaque || rt.sends_signals || t->section.txn || !in_granule(p->obj, p->size) ||
            !memory_is_there(p->obj) || learnt_has(mixed_hash(p->obj)))
                return;
        any = true;
        s->waited = false;
        s->peeked = !spin_stack_of(t, &low, &s->stack_end);
        s->await_pos = position_of(t);
        s->await_visits = visits;
        s->await_key = hash_mix(hash_mix(local, t->id), history(s));
}

static bool waits(const struct thread *t)
{
        return t->spin.await_pos && t->spin.await_pos == position_of(t);
}

/* Was entry i made by the thread, or its buffer? */
static bool is_own(const struct thread *t, uint32_t i)
{
        return thread_owner(&threads[rt.up->events[i].actor]) == t->id;
}

/* The last write, and 1, to what it reads, 0: there is none, or it is its own, which it cannot come before. */
static uint32_t last_write(const struct thread *t)
{
        uint32_t i = mm_forwards(t, t->pend.obj, t->pend.size) ? 0 : ex.n_events;

        while (i && (rt.up->events[i - 1].mode != WIRE_MODE_WRITE ||
                     !overlap(rt.up->events[i - 1].obj, rt.up->events[i - 1].size, t->pend.obj, t->pend.size)))
                i--;
        return i && is_own(t, i - 1) ? 0 : i;
}

static void tell(const struct thread *t, uint32_t event, uint32_t before)
{
        rt.up->awaits[rt.up->n_awaits++] = (struct wire_await){.event = event,
                                                               .before = before,
                                                               .actor = t->id,
                                                               .size = (uint8_t)t->pend.size,
                                                               .how = t->spin.waited ? WIRE_AWAIT_WAITED : 0};
}

/* The last entry is a read that leads back, or says from where in the own buffer its bytes are: is it one that waits?  Then it is entry i. */
static bool was_await(const struct thread *t, uint32_t visits, uint32_t *i)
{
        const struct wire_event *e = &rt.up->events[ex.n_events - 1];

        while (e->op == OP_FORWARD && e->actor == t->id)
                e--;
        *i = (uint32_t)(e - rt.up->events);
        return await_notes && t->spin.await_pos && !t->spin.peeked && t->spin.await_visits == visits &&
               e->actor == t->id && e->op == OP_LOAD && e->obj == t->pend.obj && e->pos == t->spin.await_pos;
}

bool await_wasted(struct thread *t, uint32_t visits)
{
        struct wire_up *up = rt.up;
        uint64_t value;
        uint32_t i;

        if (!was_await(t, visits, &i))
                return false;
        /* The round stays in the execution, and the thread waits from here on. */
        if (t->spin.asked == AWAIT_SCHEDULE || ex.n_transitions < rt.n_prefix)
                return true;
        value = part_of(up->before[i], t->pend.obj, t->pend.size);
        if (ex.n_transitions > rt.n_prefix &&
            (leads_back(t, value) || rt.down->n_wasted >= WIRE_MAX_WASTED / 2 - WIRE_MAX_AGREED))
                return false;
        up->wasted[up->n_wasted++] = read_hash(t, value);
        if (ex.n_transitions > rt.n_prefix) {
                up->n_loop_stack = 0;
                exec_end(WIRE_END_LOOP);
        }
        if (!up->n_awaits || up->awaits[up->n_awaits - 1].event != i)
                tell(t, i, last_write(t));
        up->awaits[up->n_awaits - 1].how |= WIRE_AWAIT_WASTED;
        exec_end(WIRE_END_CUT);
}

/* The write, and 1, that a read of the thread could have come before, as far as is known; 0: none.  Of the entries before i;
 * false: it may be several.  Before it has its own store, it does not read. */
static bool could_precede(const struct thread *t, uint32_t i, uint32_t *before)
{
        uint32_t least = i > FAR_BACK ? i - FAR_BACK : 0;

        *before = 0;
        if (mm_forwards(t, t->pend.obj, t->pend.size))
                return mm_covers(t, t->pend.obj, t->pend.size);
        while (i-- > least) {
                const struct wire_event *e = &rt.up->events[i];

                if ((e->mode != WIRE_MODE_WRITE && e->mode != WIRE_MODE_COMMUTE) ||
                    !overlap(e->obj, e->size, t->pend.obj, t->pend.size))
                        continue;
                if (e->obj != t->pend.obj || e->size != t->pend.size || op_object(e->op) != OP_OBJ_MEMORY ||
                    !(e->flags & WIRE_EV_SCHED) || e->flags & WIRE_EV_SECTION)
                        return false;
                if (mm_is_weak() && is_own(t, i))
                        return true;
                if (!leads_back(t, part_of(rt.up->before[i], e->obj, e->size))) {
                        *before = i + 1;
                        return true;
                }
        }
        return !least;
}

void await_performed(struct thread *t, uint32_t i)
{
        uint32_t before;

        if (await_notes && !ex.going_on && waits(t)) {
                if (rt.up->n_awaits < WIRE_MAX_AWAITS - WIRE_MAX_THREADS && could_precede(t, i, &before))
                        tell(t, i, before);
                else if (ex.n_transitions >= rt.n_prefix)
                        learnt_restart(mixed_hash(t->pend.obj)); /* its rounds would stay, and add up */
        }
        n_performed = rt.up->n_awaits;
}

/* Waiting. */

/* Must reads of the object be in the trace?  Then the exploration restarts without this wait. */
static void look_mixed(uint64_t obj)
{
        if (mixed[mixed_bit(obj) / 64] >> mixed_bit(obj) % 64 & 1 && ex.n_transitions >= rt.n_prefix)
                learnt_restart(mixed_hash(obj));
}

void await_settle(void)
{
        if (!any || !await_notes)
                return;
        for (uint32_t i = 0; i < ex.n_threads; i++) {
                struct thread *t = &threads[i];

                if (!waits(t) || (t->state != WIRE_T_READY && !t->spin.held))
                        continue;
                look_mixed(t->pend.obj);
                t->spin.held = memory_is_there(t->pend.obj) && leads_back(t, mm_view(t, t->pend.obj, t->pend.size));
                t->spin.waited |= t->spin.held;
                t->state = t->spin.held ? WIRE_T_SPIN : WIRE_T_READY;
        }
}

bool await_turn(struct thread *t, enum await_asked asked)
{
        if (t->spin.held && asked == AWAIT_SCHEDULE && t->state == WIRE_T_SPIN && waits(t)) {
                t->spin.held = false;
                t->state = WIRE_T_READY;
        }
        t->spin.asked = asked;
        return !t->spin.held;
}

void await_report(void)
{
        uint32_t before;

        rt.up->n_awaits = n_performed;
        for (uint32_t i = 0; any && await_notes && i < ex.n_threads; i++) {
                const struct thread *t = &threads[i];

                if (!waits(t) || !t->spin.held || t->state != WIRE_T_SPIN)
                        continue;
                if (!could_precede(t, ex.n_events, &before))
                        before = last_write(t);
                tell(t, ex.n_events, before);
        }
}
