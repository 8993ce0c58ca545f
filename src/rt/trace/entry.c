/* See entry.h. */
#include "rt/trace/entry.h"

#include "rt/loops/await.h"
#include "rt/memory/blocks.h"
#include "rt/memory/heap.h"
#include "rt/position.h"
#include "rt/trace/callstack.h"
#include "rt/trace/debug.h"
#include "rt/sched/end.h"
#include "rt/sched/sleep.h"
#include "rt/threads.h"
#include "rt/util.h"
#include "rt/weak/mm.h"

#define FIRST_PAGE 4096u /* below it nothing is mapped */

/* The value of a plain store is in memory by the thread's next hook. */
void op_note_store(struct thread *t)
{
        struct wire_event *e = t->unsaid;
        uint64_t v = 0;

        rt_copy(&v, (const void *)(uintptr_t)e->obj, e->size < 8 ? e->size : 8);
        e->value = v;
        for (struct wire_event *w = e + 1; w < rt.up->events + ex.n_events && w->op == OP_WORD; w++) {
                w->value = 0;
                rt_copy(&w->value, (const void *)(uintptr_t)w->obj, w->size);
        }
        if (rt.flags & WIRE_DETAIL)
                blocks_record(v);
        e->weak &= (uint16_t)~WIRE_WEAK_UNSAID;
        t->unsaid = NULL;
}

/* WIRE_VALUES: what is in memory where an access goes to; of other operations, the priority of the thread. */
static uint64_t value_before(const struct thread *t, uint32_t op, uint64_t obj)
{
        uint64_t v = 0;

        bool memory = op_object(op) == OP_OBJ_MEMORY || (op_object(op) == OP_OBJ_FUTEX && !(obj >> 47));

        if (!memory)
                return (uint32_t)t->identity.rank;
        if (obj < FIRST_PAGE || obj >> 47 || !memory_is_there(obj)) /* WIRE_OBJ_TXN is none */
                return v;
        if (thread_is_buffer(t))
                mm_uncover();
        __builtin_memcpy(&v, (const void *)(uintptr_t)(obj & ~UINT64_C(7)), sizeof v);
        if (thread_is_buffer(t))
                mm_cover();
        return v;
}

/* May the operation move the thread's virtual time to that of another thread?  Creation and join follow from histories. */
static bool moves_clock(uint32_t op)
{
        return op >= OP_USER || (op_object(op) > OP_OBJ_PROCESS && op_object(op) != OP_OBJ_STATE);
}

/* --depth: more words of an access, and own stores that it reads, count with it.  Whether they have entries depends on what is
 * recorded, and on what has reached memory. */
static bool is_too_deep(uint32_t op, uint32_t at)
{
        bool part = op == OP_WORD || op == OP_FORWARD;

        ex.n_parts += part;
        return !part && at - ex.n_parts >= rt.down->depth;
}

struct wire_event *entry_add(struct thread *t, uint32_t flags, uint32_t op, uint64_t obj, uint32_t size, uint32_t mode,
                             uint64_t value)
{
        uint32_t i = ex.n_events;
        struct wire_event *e = &rt.up->events[i];

        if (RT_UNLIKELY(i >= WIRE_MAX_EVENTS - 1) || (RT_UNLIKELY(rt.down->depth) && is_too_deep(op, i)))
                exec_end(WIRE_END_DEPTH);
        __asm__("" : "+r"(e)); /* so that its address is computed once */
        ex.n_events = i + 1;
        rt.up->n_events = i + 1;
        e->actor = t->id;
        e->op = (uint8_t)op;
        e->flags = (uint8_t)(flags | (t->section.atomic || t->section.inside ? WIRE_EV_SECTION : 0));
        e->size = size;
        e->obj = obj;
        e->value = value;
        e->site = t->pend.site;
        e->pos = position_of(t);
        e->choice = 0;
        e->next_choice = WIRE_NO_CHOICE;
        e->mode = (uint16_t)mode;
        e->weak = RT_UNLIKELY(t->marks.quiet_depth | t->marks.lock_depth) ? WIRE_WEAK_QUIET : 0;
        if (RT_UNLIKELY(t->section.hidden))
                e->weak |= WIRE_WEAK_HIDDEN;
        if (RT_UNLIKELY(rt.flags & WIRE_VALUES || await_notes)) {
                rt.up->before[i] = value_before(t, op, obj);
                t->clock.joined |= moves_clock(op);
        }
        if (RT_UNLIKELY(await_notes))
                await_entry(t, i);
        if (RT_UNLIKELY(rt.flags & WIRE_DETAIL)) {
                rt.up->stacks[i] = callstack_record(t);
                callstack_local(t, obj);
                blocks_record(obj);
                blocks_record(value);
                debug_step(t, i + 1);
        }
        if (RT_UNLIKELY(ex.n_sleep) && ex.sleep_armed && mode != WIRE_MODE_NONE && mode != WIRE_MODE_FORWARD)
                sched_sleep_wake(e);
        return e;
}
