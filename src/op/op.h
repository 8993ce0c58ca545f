/*
 * The model of operations: which may run in which state of their object, what they do to it, and which of them depend on
 * each other.  What does not depend on a state is in their rows (op/row.h).
 *
 * The state of an object is one word, written into the trace with every entry that touches it (`value`, the state
 * before).  The runtime asks op_enabled() about the present; the explorer asks it about the past, to find the event
 * that a blocked operation raced with.  Both sides use this file and nothing else.
 *
 * Each kind of object has a header with its states and the questions about them.  Streams: owner + 1, depth - 1 as of a
 * mutex.  Threads: for cancellation, 1 if it was requested.  Channels: OP_CHANNEL_READABLE, OP_CHANNEL_WRITABLE.
 * Plugins' objects: a record (op/user.h); the `value` of an entry is that of a label, which names it.
 */
#ifndef HEDDLE_OP_OP_H
#define HEDDLE_OP_OP_H

#include <stdbool.h>
#include <stdint.h>

#include "op/barrier.h"
#include "op/cond.h"
#include "op/mutex.h"
#include "op/once.h"
#include "op/row.h"
#include "op/rwlock.h"
#include "op/sem.h"
#include "op/state.h"
#include "wire/wire.h"

#define OP_CHANNEL_READABLE 1u /* a read does not wait: there is something, or no writer is left */
#define OP_CHANNEL_WRITABLE 2u

/* Are its races not reported? */
static inline bool op_quiet(const struct wire_event *e)
{
        return e->weak & WIRE_WEAK_QUIET;
}

/* May `actor` perform op on an object in this state?  Wakeups, ends of threads and of rounds of a barrier are not states
 * of an object: the scheduler knows them, and the trace shows them as WAKE and JOIN entries. */
static inline bool op_enabled(uint32_t op, uint64_t state, uint32_t actor)
{
        switch (op) {
        case OP_MUTEX_LOCK: return op_mutex_free(state, actor);
        case OP_MUTEX_RELOCK: return OP_OWNER(state) == 0 || (state & OP_MUTEX_LOST);
        case OP_MUTEX_TURN: return (OP_OWNER(state) == 0 && op_is_next(state, actor)) || (state & OP_MUTEX_LOST);
        case OP_SEM_WAIT: return OP_SEM_VALUE(state) > 0 || (state & OP_GONE);
        case OP_SEM_TURN: return OP_SEM_VALUE(state) > 0 && op_is_next(state, actor);
        case OP_ONCE_BEGIN: return state != OP_ONCE_RUNNING;
        case OP_SPIN_LOCK: return OP_OWNER(state) == 0;
        case OP_STREAM_LOCK:
        case OP_STREAM_USE: return OP_OWNER(state) == 0 || OP_OWNER(state) == actor + 1;
        case OP_RWLOCK_RDLOCK: return OP_OWNER(state) == actor + 1 || op_rwlock_may_read(state);
        case OP_RWLOCK_WRLOCK: return OP_OWNER(state) == actor + 1 || op_rwlock_may_write(state);
        case OP_RWLOCK_RDTURN: return op_is_next(state, actor) && op_rwlock_may_read(state);
        case OP_RWLOCK_WRTURN: return op_is_next(state, actor) && op_rwlock_may_write(state);
        case OP_SIGNAL_WAIT: return false;   /* a handler ends it */
        case OP_BARRIER_LEAVE: return false; /* never before one of those that met has arrived */
        case OP_CANCELLED: return state != 0;
        case OP_CHANNEL_READ: return (state & OP_CHANNEL_READABLE) != 0;
        case OP_CHANNEL_WRITE: return (state & OP_CHANNEL_WRITABLE) != 0;
        default: return true;
        }
}

/* Under a wakeup policy an operation that queues takes its object at once if it can: does it, in this state?  Others take
 * theirs whenever they are performed and do not fail. */
static inline bool op_passes(uint32_t op, uint64_t state, uint32_t actor)
{
        switch (op) {
        case OP_MUTEX_QUEUE:
        case OP_MUTEX_REQUEUE: return (OP_NEXT(state) == 0 || OP_OWNER(state)) && op_mutex_free(state, actor);
        case OP_RWLOCK_RDQUEUE: return OP_NEXT(state) == 0 && op_rwlock_may_read(state);
        case OP_RWLOCK_WRQUEUE: return OP_NEXT(state) == 0 && op_rwlock_may_write(state);
        case OP_SEM_QUEUE: return OP_NEXT(state) == 0 && OP_SEM_VALUE(state) > 0;
        default: return true;
        }
}

/* Did the operation of this entry change its object?  An error-checking mutex that the thread holds stays as it is. */
static inline bool op_took(const struct wire_event *e)
{
        if (e->mode == WIRE_MODE_READ || (e->flags & WIRE_EV_FAILED))
                return false;
        if (op_object(e->op) == OP_OBJ_MUTEX && OP_MUTEX_TYPE(e->value) == OP_MUTEX_ERRORCHECK &&
            OP_MUTEX_OWNER(e->value) == e->actor + 1u)
                return false;
        return op_passes(e->op, e->value, e->actor);
}

/* The state in the `value` of an entry of this operation. */
static inline uint64_t op_state(uint32_t op, uint64_t value)
{
        return op >= OP_USER ? op_user_state_of(value) : value;
}

/* Is the state in these two entries one of the same kind of object? */
static inline bool op_same_kind(uint32_t op, uint64_t value, uint32_t other, uint64_t other_value)
{
        if (op >= OP_USER && other >= OP_USER)
                return op_user_kind_of(value) == op_user_kind_of(other_value);
        return op_object(op) == op_object(other);
}

/* op_enabled() for an operation with all that belongs to it. */
static inline bool op_may(const struct wire_access *a, uint64_t state)
{
        if (a->op >= OP_USER) {
                struct op_label l = op_user_read(a->value);
                return op_user_may(&l, a->actor, state);
        }
        return op_enabled(a->op, state, a->actor);
}

/* The state after a commuting operation. */
static inline uint64_t op_apply(const struct wire_access *a, uint64_t state)
{
        if (a->mode == WIRE_MODE_READ)
                return state;
        switch (a->op) {
        case OP_SEM_WAIT:
        case OP_SEM_TRYWAIT:
        case OP_SEM_TIMEDWAIT: return state - 1;
        case OP_SEM_POST: return state + 1;
        }
        if (a->op >= OP_USER) {
                struct op_label l = op_user_read(a->value);
                bool queued;
                op_user_do(&l, a->actor, &state, NULL, &queued);
        }
        return state;
}

/* Do two accesses in conflicting modes commute all the same, wherever one comes right after the other?  Tokens of a
 * semaphore are interchangeable: two that took one each, or gave one each, might as well have come in the other order. */
static inline bool op_commute(const struct wire_access *a, const struct wire_access *b)
{
        if (a->op >= OP_USER || b->op >= OP_USER)
                return a->op >= OP_USER && b->op >= OP_USER && op_commuting(a->op) && op_user_commute(a, b);
        return op_commuting(a->op) && op_commuting(b->op) && a->mode == b->mode &&
               (a->op == OP_SEM_POST) == (b->op == OP_SEM_POST);
}

/* ... and in this state, in which either could come first?  The last token can be taken only once. */
static inline bool op_commute_in(const struct wire_access *a, const struct wire_access *b, uint64_t state)
{
        if (a->op >= OP_USER)
                return b->op >= OP_USER && op_commuting(a->op) && op_user_commute_in(a, b, state);
        return op_commute(a, b) && (a->op == OP_SEM_POST ? state + 2 <= OP_SEM_MAX : state >= 2);
}

/* The state after an operation that commutes with others of its kind, given that it succeeded. */
static inline uint64_t op_commuted(uint32_t op, uint64_t state)
{
        switch (op) {
        case OP_RWLOCK_RDLOCK:
        case OP_RWLOCK_TRYRDLOCK:
        case OP_RWLOCK_TIMEDRDLOCK: return state + OP_RWLOCK_READER;
        case OP_RWLOCK_UNLOCK: return state - OP_RWLOCK_READER;
        default: return state;
        }
}

/* The thread that has the object alone, + 1; 0: none, or the kind has no owner. */
static inline uint32_t op_owner(uint32_t kind, uint64_t state)
{
        return op_object_owned(kind) ? OP_OWNER(state) : 0;
}

/* Do two accesses conflict, given that they overlap? */
static inline bool op_modes_conflict(uint32_t a, uint32_t b)
{
#define IN(mode) (1u << WIRE_MODE_##mode)
        static const uint8_t with[WIRE_MODES] = {
                [WIRE_MODE_READ] = IN(WRITE) | IN(COMMUTE) | IN(LINE_WRITE),
                [WIRE_MODE_WRITE] = IN(READ) | IN(WRITE) | IN(COMMUTE) | IN(FORWARD) | IN(LINE_READ) | IN(LINE_WRITE),
                [WIRE_MODE_COMMUTE] = IN(READ) | IN(WRITE) | IN(LINE_READ) | IN(LINE_WRITE),
                [WIRE_MODE_FORWARD] = IN(WRITE),
                [WIRE_MODE_LINE_READ] = IN(WRITE) | IN(COMMUTE),
                [WIRE_MODE_LINE_WRITE] = IN(READ) | IN(WRITE) | IN(COMMUTE),
        };
#undef IN
        return with[a] >> b & 1;
}

/* Do two accesses overlap in modes that conflict? */
static inline bool op_overlap(const struct wire_access *a, const struct wire_access *b)
{
        return a->obj < b->obj + b->size && b->obj < a->obj + a->size && op_modes_conflict(a->mode, b->mode);
}

/* Is it one to memory, of which nothing but place and mode matters? */
static inline bool op_plain(const struct wire_access *a)
{
        return op_has(a->op, OPF_UNIFORM) && (a->mode == WIRE_MODE_READ || a->mode == WIRE_MODE_WRITE);
}

/* Does an access end the sleep of an actor that would do `sleeper` in the state before it? */
static inline bool op_wakes(const struct wire_access *sleeper, const struct wire_access *done)
{
        return op_overlap(sleeper, done) && !op_commute_in(sleeper, done, op_state(done->op, done->value));
}

static inline struct wire_access op_access(const struct wire_event *e)
{
        return (struct wire_access){.obj = e->obj,
                                    .value = e->value,
                                    .size = e->size,
                                    .actor = e->actor,
                                    .mode = (uint8_t)e->mode,
                                    .op = e->op};
}

#endif
