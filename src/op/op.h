/*
 * The op model: what the operations are, and which may run in which state of their object.
 *
 * The state of an object is one word, written into the trace with every entry that touches it (`value`, the state
 * before).  The runtime asks op_enabled() about the present; the explorer asks it about the past, to find the event
 * that a blocked operation raced with.  Both sides use this file and nothing else.
 *
 * States: mutex   owner + 1 in bits 0-15, recursion depth - 1 in bits 16-31, kind in bits 32-35 (0: free)
 *         sem     its value
 *         once    0 not begun, 1 being run, 2 done
 *         cond    number of waiters
 *         thread  cancellation: 1 if it was asked for
 */
#ifndef HEDDLE_OP_OP_H
#define HEDDLE_OP_OP_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/wire.h"

enum op {
#define OP(name, text, mode, object) OP_##name,
#include "op/op.def"
#undef OP
        OP_COUNT
};

enum op_object {
        OP_OBJ_NONE,
        OP_OBJ_MEMORY,
        OP_OBJ_THREAD,
        OP_OBJ_PROCESS,
        OP_OBJ_MUTEX,
        OP_OBJ_COND,
        OP_OBJ_SEM,
        OP_OBJ_ONCE,
};

#define OP_MUTEX_OWNER(state)  ((uint32_t)(state) & 0xffffu) /* owner + 1, 0: free */
#define OP_MUTEX_KIND(state)   ((uint32_t)((state) >> 32) & 0xfu)
#define OP_MUTEX_FREE          0
#define OP_MUTEX_NORMAL        0u /* kinds, as PTHREAD_MUTEX_* */
#define OP_MUTEX_RECURSIVE     1u
#define OP_MUTEX_ERRORCHECK    2u

/* The text of an operation for people, "?" for a number that is none. */
const char *op_name(uint32_t op);

/* Its default mode (enum wire_mode) and kind of object (enum op_object). */
uint32_t op_mode(uint32_t op);
uint32_t op_object(uint32_t op);

/* May it have to wait?  Only such operations have states in which they are disabled. */
static inline bool op_blocks(uint32_t op)
{
        return op == OP_MUTEX_LOCK || op == OP_MUTEX_RELOCK || op == OP_SEM_WAIT || op == OP_ONCE_BEGIN ||
               op == OP_CANCELLED;
}

/* May `actor` perform op on an object in this state?  Wakeups and ends of threads are not states of an object: the
 * scheduler knows them, and the trace shows them as WAKE and JOIN entries. */
static inline bool op_enabled(uint32_t op, uint64_t state, uint32_t actor)
{
        switch (op) {
        case OP_MUTEX_LOCK:
                return OP_MUTEX_OWNER(state) == 0 ||
                       (OP_MUTEX_KIND(state) != OP_MUTEX_NORMAL && OP_MUTEX_OWNER(state) == actor + 1);
        case OP_MUTEX_RELOCK:
                return OP_MUTEX_OWNER(state) == 0;
        case OP_SEM_WAIT:
                return state > 0;
        case OP_ONCE_BEGIN:
                return state != 1;
        case OP_CANCELLED:
                return state != 0;
        default:
                return true;
        }
}

/* Do two accesses conflict, given that they overlap? */
static inline bool op_modes_conflict(uint32_t a, uint32_t b)
{
        if (a == WIRE_MODE_NONE || b == WIRE_MODE_NONE)
                return false;
        if (a == WIRE_MODE_WRITE || b == WIRE_MODE_WRITE)
                return true;
        return a != b;
}

#endif
