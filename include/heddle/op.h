/*
 * Operations that you define: a plugin declares kinds of objects with a modelled state, operations on them, and the
 * functions that perform them, which programs call by their own names.
 *
 *     cc -shared -fPIC -o rwl.so rwl.c
 *     heddle check --ops rwl.so program.c
 *
 * A plugin is loaded into the program, where its functions run, and into heddle, which asks `enabled`, `apply` and
 * `dependent` about states of the past.  So these three look at nothing but their arguments.  heddle-ops(7) explains
 * it with examples; examples/ops has four.
 */
#ifndef HEDDLE_OP_H
#define HEDDLE_OP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HEDDLE_OP_ABI   1u
#define HEDDLE_OP_STATE 256u /* bytes of state at most */

/* How an operation touches an object.  An operation that leaves the state unchanged counts as a read. */
enum heddle_mode {
        HEDDLE_WRITE,   /* its order with any other operation on the object matters */
        HEDDLE_READ,    /* ... but not with reads */
        HEDDLE_COMMUTE, /* ... but not with others of this mode: the state after two is the same in both orders */
};

/* Which of several waiting threads runs next if more than one could. */
enum heddle_wakeup { HEDDLE_ARBITRARY, HEDDLE_FIFO, HEDDLE_LIFO, HEDDLE_PRIORITY };

/* One operation of one thread. */
struct heddle_call {
        const struct heddle_op *op;
        uint32_t thread; /* 0 is main */
        uint64_t arg;
        int64_t result;     /* dependent, print: what apply returned */
        const void *before; /* dependent, print: the state of the first object when it was performed */
};

struct heddle_kind {
        const char *name;
        size_t size;                                   /* of its state; all bytes 0 at first */
        void (*init)(void *state, const void *object); /* NULL, or what a static initialiser left in the object */
        void (*print)(char *text, size_t n, const void *state); /* NULL: as bytes */
};

struct heddle_op {
        const char *name; /* in reports: "read lock" */
        const struct heddle_kind *kind;
        enum heddle_mode mode;
        const struct heddle_kind *kind2; /* NULL, or that of a second object, which it touches in mode2 */
        enum heddle_mode mode2;
        enum heddle_wakeup wakeup;

        /* May it be performed now?  Otherwise the thread waits.  NULL: always.  Asked of the first object only. */
        bool (*enabled)(const void *state, const struct heddle_call *call);
        /* Performs it: changes the state, and returns what heddle_op_perform() returns. */
        int64_t (*apply)(void *state, void *state2, const struct heddle_call *call);
        /* Of two operations on one object that came one right after the other in conflicting modes: can a thread tell in
         * which order?  NULL: yes.  They are independent only if this says so for both.  If one can change the result of
         * the other, disable or enable it, then the two as they then are must be dependent. */
        bool (*dependent)(const struct heddle_call *first, const struct heddle_call *second);
        /* With HEDDLE_PRIORITY: the highest goes first, equals in the order of their coming. */
        int (*priority)(const struct heddle_call *call);
        /* What reports add to its name; NULL: nothing. */
        void (*print)(char *text, size_t n, const struct heddle_call *call);
};

struct heddle_plugin {
        uint32_t abi; /* HEDDLE_OP_ABI */
        uint32_t n_ops;
        const struct heddle_op *ops;
        const char *name;
};

/* What every plugin exports under this name. */
#define HEDDLE_PLUGIN(text, table)                       \
        extern const struct heddle_plugin heddle_plugin; \
        const struct heddle_plugin heddle_plugin         \
                __attribute__((visibility("default"))) = {HEDDLE_OP_ABI, sizeof(table) / sizeof *(table), table, text}

#ifndef HEDDLE_OP_TYPES_ONLY
#include <stdio.h>
#include <stdlib.h>

#include <heddle/heddle.h>

HEDDLE_WEAK_ int64_t heddle_rt_op(const struct heddle_op *op, void *object, void *object2, uint64_t arg, void *caller);

/* Performs an operation of this plugin; returns when it is done.  Reports show the caller of the function that
 * contains this call.  A plugin that is to work without heddle asks heddle_running() first and does the plain
 * thing. */
__attribute__((always_inline)) static inline int64_t heddle_op_perform(const struct heddle_op *op, void *object,
                                                                       void *object2, uint64_t arg)
{
        if (!heddle_rt_op || !heddle_running()) {
                fprintf(stderr, "'%s' exists only under heddle check --ops\n", op->name);
                abort();
        }
        return heddle_rt_op(op, object, object2, arg, __builtin_return_address(0));
}
#endif

#ifdef __cplusplus
}
#endif

#endif
