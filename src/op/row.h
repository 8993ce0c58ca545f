/*
 * The table of operations: a row for each (op/op.def), and the questions that the rows answer.
 *
 * Everything that is true of an operation wherever it is performed is in its row.  Runtime and explorer read the same
 * table.  What depends on the state of an object is in op/op.h.
 *
 * The table has a row for every number that an entry can hold: operations of plugins (op/user.h) and numbers without an
 * operation share one row, and what differs between plugins' operations is asked of the plugin.
 */
#ifndef HEDDLE_OP_ROW_H
#define HEDDLE_OP_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "op/user.h"
#include "wire/wire.h"

enum op {
#define OP(name, ...) OP_##name,
#include "op/op.def"
        OP_COUNT
};

enum op_object {
#define OBJECT(name, ...) OP_OBJ_##name,
#include "op/op.def"
        OP_OBJ_KINDS,
        OP_OBJ_USER = 64 /* from here on: kinds that plugins declare */
};

/* May it have to wait? */
enum op_waits {
        OP_NEVER_WAITS,
        OP_WAITS_STATE,  /* for a state of its object: op_enabled() */
        OP_WAITS_OBJECT, /* an earlier operation on its object keeps it from running, and no state shows that */
        OP_WAITS_THREAD, /* for something that another thread does: sched_enabled() in the runtime */
};

/* Can another thread tell whether and when it happens?  If not, it needs no turn and leaves no entry. */
enum op_seen {
        OP_SEEN_ALWAYS,
        OP_SEEN_SHARED,  /* if another thread uses its object; always with --preempt sync */
        OP_SEEN_TOUCHED, /* if another thread uses its object */
        OP_SEEN_STREAM,  /* the same, but it does not make the object shared itself */
        OP_SEEN_STATE,   /* if another thread uses the state in a conflicting mode */
};

enum op_progress {
        OP_REPEATS,
        OP_PROGRESS,
};

/* Does it wait until the store buffer of its thread is empty?  (Only where other threads can tell what it touches, unless
 * op_fences().) */
enum op_drains {
        OP_DRAINS,
        OP_DRAINS_POSIX, /* with --posix-fences */
        OP_DRAINS_ORDER, /* if it is sequentially consistent */
        OP_NO_DRAIN,
};

/* What it orders in the sense of the language (data races), and which locks it takes. */
enum op_order {
        OP_NO_ORDER,
        OP_ACQUIRES,       /* what was released at its object */
        OP_ACQUIRES_TAKEN, /* ... if it took something: op_took() */
        OP_RELEASES,
        OP_MEETS,        /* acquires, and releases if it changed the object */
        OP_TAKES,        /* a lock, alone, if op_took() */
        OP_TAKES_SHARED, /* ... with other readers */
        OP_GIVES,        /* it back */
        OP_OWN_ORDER,    /* a case of its own in analysis/sync.c */
};

enum op_flag_bit {
#define FLAG(name) OPF_BIT_##name,
#include "op/flag.def"
#undef FLAG
};

enum op_flag {
#define FLAG(name) OPF_##name = 1u << OPF_BIT_##name,
#include "op/flag.def"
#undef FLAG
};

struct op_row {
        const char *text, *verb;
        uint32_t flags; /* enum op_flag */
        uint8_t mode;   /* enum wire_mode */
        uint8_t object; /* enum op_object */
        uint8_t waits, seen, progress, drains, order;
};

enum op_kind_flag { OPK_OWNED = 1, OPK_LOCKED = 2, OPK_NAMELESS = 4 };

struct op_kind {
        const char *text; /* before the name of an object, in reports */
        uint32_t flags;   /* enum op_kind_flag */
};

#pragma GCC visibility push(hidden)
extern const struct op_row op_rows[256];
extern const struct op_kind op_kinds[OP_OBJ_KINDS];
#pragma GCC visibility pop

static inline const struct op_row *op_row(uint32_t op)
{
        return &op_rows[(uint8_t)op];
}

static inline bool op_has(uint32_t op, uint32_t flags)
{
        return op_row(op)->flags & flags;
}

/* Is there an operation with this number? */
bool op_known(uint32_t op);

/* The text of an operation for people, "?" for a number that is none; and what it does ("locks"), or NULL. */
const char *op_name(uint32_t op);
static inline const char *op_verb(uint32_t op)
{
        return op_row(op)->verb;
}

/* Its default mode (enum wire_mode) and kind of object (enum op_object). */
static inline uint32_t op_mode(uint32_t op)
{
        return op_row(op)->mode;
}

static inline uint32_t op_object(uint32_t op)
{
        return op_row(op)->object;
}

/* May it have to wait for a state of its object?  Only such operations have states in which they are disabled. */
static inline bool op_blocks(uint32_t op)
{
        return op >= OP_USER ? op_user_blocks(op) : op_row(op)->waits == OP_WAITS_STATE;
}

/* ... or because of an earlier operation on it?  Then it races with that. */
static inline bool op_blocked_by_object(uint32_t op)
{
        return op_blocks(op) || op_row(op)->waits == OP_WAITS_OBJECT;
}

/* May a thread do this where it would otherwise wait?  A signal or a request to end comes before what it was about to do. */
static inline bool op_comes_instead(uint32_t op)
{
        return op == OP_SIGNAL_POINT || op == OP_CANCELLED || op == OP_CANCEL_POINT;
}

/* ... or for anything? */
static inline bool op_may_wait(uint32_t op)
{
        return op >= OP_USER ? op_user_blocks(op) : op_row(op)->waits != OP_NEVER_WAITS;
}

/* Does it wait for an entry WAKE, and for nothing else? */
static inline bool op_waits_for_wake(uint32_t op)
{
        return op_has(op, OPF_WOKEN) && op_row(op)->waits == OP_WAITS_THREAD;
}

static inline enum op_seen op_seen(uint32_t op)
{
        return (enum op_seen)op_row(op)->seen;
}

/* Does repeating it make a difference? */
static inline bool op_is_progress(uint32_t op)
{
        return op_row(op)->progress == OP_PROGRESS;
}

static inline enum op_drains op_drains(uint32_t op)
{
        return (enum op_drains)op_row(op)->drains;
}

static inline enum op_order op_order(uint32_t op)
{
        return (enum op_order)op_row(op)->order;
}

/* Which kind of preemption point it is (WIRE_POINT_*); 0: one that no set of points leaves out.  Operations that commute are
 * of these, since which of them race is known only where each begins a transition, and those that ask for a choice value.  So is
 * `free`: a use that comes after it ends its thread, so the order in which it comes before must be there without a race that
 * shows it. */
static inline uint32_t op_point_class(uint32_t op)
{
        uint32_t f = op_row(op)->flags;

        return f & OPF_POINT_PLAIN     ? WIRE_POINT_PLAIN
               : f & OPF_POINT_ACQUIRE ? WIRE_POINT_ACQUIRE
               : f & OPF_POINT_RELEASE ? WIRE_POINT_RELEASE
                                       : 0;
}

/* Is the object one whose operations may commute although they write it?  Its history is then walked with more care. */
static inline bool op_commuting(uint32_t op)
{
        return op >= OP_USER ? op_user_commuting(op) : op_has(op, OPF_COMMUTES);
}

/* Does an object of this kind have an owner?  Do reports name it? */
static inline bool op_object_owned(uint32_t kind)
{
        return kind < OP_OBJ_KINDS && (op_kinds[kind].flags & OPK_OWNED);
}

static inline bool op_object_named(uint32_t kind)
{
        return kind < OP_OBJ_KINDS ? !(op_kinds[kind].flags & OPK_NAMELESS) : kind == OP_OBJ_USER;
}

#endif
