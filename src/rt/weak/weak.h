/*
 * Store buffers (--memory tso, pso) as actors of the schedule.  Other rooms use them through mm.h.
 *
 * A store to shared memory enters the buffer of its thread; that is not a transition, since no other thread can observe it.
 * Its *flush* is a transition of the buffer, an actor with a place in `threads` behind those of real threads
 * (WIRE_T_BUFFER), so that prefixes, sleep sets, enabled sets and tails treat it like any other.
 */
#ifndef HEDDLE_RT_WEAK_WEAK_H
#define HEDDLE_RT_WEAK_WEAK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct store_buffer;
struct object;
struct thread;
struct wire_access;
struct wire_event;

#pragma GCC visibility push(hidden)

/* One more than the highest number of an actor. */
uint32_t mm_actors(void);

/* The stores of this thread that wait. */
struct store_buffer *weak_buffer(const struct thread *t);

/* A run begins: all buffers are empty. */
void mm_init_run(void);

/* The running thread is at an operation: must it wait until its buffer is empty?  Sets t->drains. */
void weak_arrive(struct thread *t, uint32_t op);
/* ... if it is a store that waits because there is no buffer for it, the exploration is not complete. */
void mm_undelayed(const struct thread *t, uint32_t op, uintptr_t addr, uint32_t size);
/* ... is it a store that goes to the buffer? */
bool weak_buffers(const struct thread *t, uint32_t op, uintptr_t addr, uint32_t size);

/* Store i, from 0, of those that the thread has made and that wait in its buffer; the first 8 bytes of what it wrote.  false: there are not so
 * many. */
bool mm_waiting(const struct thread *t, uint32_t i, uint64_t *addr, uint32_t *size, uint64_t *value);

/* What its last stores wrote is in memory by now. */
void weak_settle(struct thread *t);

/* The store that the thread is at, of so many bytes, is about to be made.  The entry, or the last of several. */
struct wire_event *mm_store(struct thread *t, uint32_t op, uintptr_t addr, size_t size);

/* The thread is at an operation that is not reported (--trust, --ignore, heddle_ignore_begin).  A store waits behind the stores
 * in the buffer, or other threads would see it first; it is not an entry and not a decision. */
void weak_hide(struct thread *t, uint32_t op, uintptr_t addr, uint32_t size);

/* The operation that the thread is at gives the object up by a store: its state is 0 when that has reached memory. */
void mm_release(struct thread *t, struct object *o, uint32_t size);

/* Must the thread look first whether what it is about to do only looks, since the rest of it would wait for the buffer? */
bool weak_looks(const struct thread *t);

/* A store of so many bytes that is not buffered takes as many positions as one that is. */
void weak_skip(struct thread *t, uintptr_t addr, size_t size);

/* A fence of this memory order, not sequentially consistent. */
void weak_fence(struct thread *t, int order);

/* May this buffer flush? */
bool weak_ready(const struct thread *b);
/* ... then it does: a transition. */
void mm_flush(struct thread *b);
/* ... and its first store was made at this hook call of its thread. */
uint32_t weak_position(const struct thread *b);

/* A buffer of the thread that may flush and does not sleep, or NULL. */
struct thread *weak_awake(const struct thread *t);
/* The buffer of thread `id` that has a store made up to this hook call (PSO: at it): that may flush, or NULL. */
struct thread *mm_segment(uint32_t id, uint32_t until);

/* Memory shows from now on what `to` sees. */
void weak_switch(struct thread *to);
/* Memory shows what has reached it, no thread's view, until weak_cover(). */
void weak_uncover(void);
void weak_cover(void);

/* Does `done`, of another actor, end the sleep of one that would load `sleeper` from the own buffer?  That is a read of memory
 * once the store has been flushed. */
bool weak_wakes(const struct wire_access *sleeper, const struct wire_access *done);

#pragma GCC visibility pop

#endif
