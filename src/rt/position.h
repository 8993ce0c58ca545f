/*
 * What is kept of the running thread where instrumented code has it at hand.
 *
 * Positions: how many hooks a thread has called.  Of the running thread they are counted in the memory that instrumented code
 * counts in (wire/inline.h), as what is left until it is checked for a loop (turn.patience).
 */
#ifndef HEDDLE_RT_POSITION_H
#define HEDDLE_RT_POSITION_H

#include "rt/threads.h"
#include "wire/inline.h"

#define RT_NOW ((struct wire_now *)(uintptr_t)WIRE_NOW)

static inline int64_t position_left(const struct thread *t)
{
        return t == rt_cur ? RT_NOW->left + 1 : t->left;
}

static inline uint32_t position_of(const struct thread *t)
{
        return (uint32_t)(t->turn.patience - position_left(t));
}

static inline void position_step(struct thread *t, int64_t n)
{
        if (t == rt_cur)
                RT_NOW->left -= n;
        else
                t->left -= n;
}

static inline void position_set(struct thread *t, uint32_t pos)
{
        position_step(t, (int32_t)(pos - position_of(t)));
}

/* Functions of a thread that are under way: of the running one they are counted there, too. */
static inline uint32_t calls_under_way(const struct thread *t)
{
        return t == rt_cur ? (uint32_t)RT_NOW->n_calls : t->stack.n_calls;
}

static inline uint32_t calls_recorded(const struct thread *t)
{
        uint32_t n = calls_under_way(t);

        return n < RT_MAX_CALLS ? n : RT_MAX_CALLS;
}

static inline void calls_set(struct thread *t, uint32_t n)
{
        if (t == rt_cur)
                RT_NOW->n_calls = n;
        else
                t->stack.n_calls = n;
}

/* Instrumented code calls no hook for memory with the mark of the running thread, as long as it has patience. */
static inline void position_refresh(const struct thread *t)
{
        RT_NOW->mark = RT_NOW->left < 0 ? WIRE_MARK_NONE : t->fast_mark;
}

static inline void position_mark(struct thread *t, uint64_t mark)
{
        t->fast_mark = mark;
        if (t == rt_cur)
                position_refresh(t);
}

static inline void position_patience(struct thread *t, uint32_t patience)
{
        position_step(t, (int64_t)t->turn.patience - patience);
        t->turn.patience = patience;
        if (t == rt_cur)
                position_refresh(t);
}

/* From now on this thread runs; NULL: none. */
static inline void rt_run(struct thread *t)
{
#ifndef HEDDLE_PLAIN
        if (rt_cur) {
                rt_cur->left = RT_NOW->left + 1;
                rt_cur->stack.n_calls = (uint32_t)RT_NOW->n_calls;
                RT_NOW->most_calls = 0;
        }
        rt_cur = t;
        if (t) {
                RT_NOW->most_calls = RT_LIKELY(!rt.n_marks) ? RT_MAX_CALLS : 0;
                RT_NOW->left = t->left - 1;
                RT_NOW->n_calls = t->stack.n_calls;
                RT_NOW->calls = t->stack.calls;
                position_refresh(t);
        }
#else
        (void)t;
#endif
}

#endif
