/*
 * The memory model: what a store does, what a load sees, when the store buffer of a thread must be empty, which flushes are
 * enabled, and what happens at a switch.  Other rooms include this header and no other of this room.
 *
 * Sequential consistency is the model without a table (mm_model is NULL): every question is answered inline, at the price of
 * one test that the branch predictor gets right.  The other models (tso.c, pso.c) are store buffers (weak.h): a buffer is an
 * actor of the schedule with a place in `threads` behind the real ones, and its transition is the flush of its oldest store.
 * model.h says in what such models differ.
 */
#ifndef HEDDLE_RT_WEAK_MM_H
#define HEDDLE_RT_WEAK_MM_H

#include "rt/threads.h"
#include "rt/util.h"
#include "rt/weak/drain.h"
#include "rt/weak/load.h"
#include "rt/weak/reached.h"
#include "rt/weak/weak.h"

struct mm_above;
struct mm_model;

#pragma GCC visibility push(hidden)
extern const struct mm_model *mm_model; /* NULL: sequential consistency */

/* Before the first execution: the model that the explorer asks for. */
void mm_init(const struct mm_above *above);
#pragma GCC visibility pop

static inline bool mm_is_weak(void)
{
        return RT_UNLIKELY(mm_model != NULL);
}

/* Operations.  The running thread is at one: mm_arrive() decides whether it has to wait for the buffer, ... */
static inline void mm_arrive(struct thread *t, uint32_t op)
{
        if (mm_is_weak())
                weak_arrive(t, op);
}

/* ... which these tell; `fences`: even where no other thread can tell what it touches. */
static inline bool mm_drains(const struct thread *t)
{
        return RT_UNLIKELY(t->weak.drains) && !t->section.atomic;
}

static inline bool mm_fences(uint32_t op)
{
        return drain_fences(op);
}

/* ... and it is not enabled while there is something to wait for. */
static inline bool mm_must_wait(const struct thread *t)
{
        return RT_UNLIKELY(t->weak.buffered) && t->weak.drains;
}

/* It has been performed, by this entry. */
static inline void mm_performed(struct thread *t, struct wire_event *e)
{
        if (RT_UNLIKELY(t->weak.drains)) {
                e->weak |= WIRE_WEAK_DRAINED;
                t->weak.drains = t->weak.undrained = false;
        }
}

/* Must the thread look first whether what it is about to do only looks, since the rest of it would wait for the buffer? */
static inline bool mm_looks_first(const struct thread *t)
{
        return mm_is_weak() && weak_looks(t);
}

/* A fence of this memory order is about to be performed. */
static inline void mm_fence(struct thread *t, int order)
{
        if (mm_is_weak()) {
                t->weak.order = order;
                weak_fence(t, order);
        }
}

/* Stores.  Is the store that the thread is at delayed?  Then it is made by mm_store() or mm_release(), not op_log(). */
static inline bool mm_delays(const struct thread *t, uint32_t op, uintptr_t addr, uint32_t size)
{
        return mm_is_weak() && weak_buffers(t, op, addr, size);
}

/* A store that is not reported (--trust, --ignore) stays behind those that are delayed. */
static inline void mm_hide(struct thread *t, uint32_t op, uintptr_t addr, uint32_t size)
{
        if (RT_UNLIKELY(t->weak.buffered))
                weak_hide(t, op, addr, size);
}

/* A plain store that was not delayed takes as many positions as one that is. */
static inline void mm_skip(struct thread *t, uint32_t op, uintptr_t addr, size_t size)
{
        if (mm_is_weak() && op == OP_WRITE)
                weak_skip(t, addr, size);
}

/* The values of delayed stores are in memory by the thread's next hook. */
static inline void mm_settle(struct thread *t)
{
        if (RT_UNLIKELY(t->weak.open))
                weak_settle(t);
}

/* How many stores of the thread were delayed so far; the last one of them that waits and has some of these bytes, 0: none; and is the
 * store that it is at one? */
static inline uint32_t mm_serial(const struct thread *t)
{
        return mm_is_weak() ? weak_serial(t) : 0;
}

static inline uint32_t mm_forwards(const struct thread *t, uintptr_t addr, uint32_t size)
{
        return RT_UNLIKELY(t->weak.buffered) ? weak_forwards(t, addr, size) : 0;
}

static inline bool mm_is_delayed(const struct thread *t, uintptr_t addr, uint32_t size)
{
        return RT_UNLIKELY(t->weak.open) && weak_is_delayed(t, addr, size);
}

/* Loads.  The mode of a load's entry, and the entries that follow it. */
static inline uint32_t mm_read_mode(const struct thread *t, uintptr_t addr, uint32_t size)
{
        return RT_UNLIKELY(t->weak.buffered) ? weak_read_mode(t, addr, size) : (uint32_t)WIRE_MODE_READ;
}

static inline void mm_forward(struct thread *t, uintptr_t addr, uint32_t size)
{
        if (RT_UNLIKELY(t->weak.buffered))
                weak_forward(t, addr, size);
}

/* Do all these bytes come from delayed stores of the thread? */
static inline bool mm_covers(const struct thread *t, uintptr_t addr, size_t size)
{
        return mm_is_weak() && weak_covers(t, addr, size);
}

/* What the thread would read there now. */
static inline uint64_t mm_view(const struct thread *t, uintptr_t addr, uint32_t size)
{
        uint64_t v = 0;

        if (mm_is_weak())
                return weak_view(t, addr, size);
        rt_copy(&v, (const void *)addr, size);
        return v;
}

/* Flushes.  Is it a buffer that may flush? */
static inline bool mm_may_flush(const struct thread *b)
{
        return thread_is_buffer(b) && weak_ready(b);
}

/* The buffer of the thread that goes first where the schedule leaves it open, or NULL. */
static inline struct thread *mm_next_flush(const struct thread *t)
{
        return RT_UNLIKELY(t->weak.buffered) ? weak_awake(t) : NULL;
}

/* Switches.  Memory shows from now on what `to` sees. */
static inline void mm_switch(struct thread *to)
{
        if (mm_is_weak())
                weak_switch(to);
}

/* Memory shows what has reached it, and no thread's view, until mm_cover(). */
static inline void mm_uncover(void)
{
        if (mm_is_weak())
                weak_uncover();
}

static inline void mm_cover(void)
{
        if (mm_is_weak())
                weak_cover();
}

/* Does `done`, of another actor, end the sleep of an actor that would do `sleeper`? */
static inline bool mm_wakes(const struct wire_access *sleeper, const struct wire_access *done)
{
        return sleeper->mode == WIRE_MODE_FORWARD ? weak_wakes(sleeper, done) : op_wakes(sleeper, done);
}

#endif
