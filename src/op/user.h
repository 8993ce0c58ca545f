/*
 * Operations that a plugin defines (heddle/op.h): their numbers, their states, and the answers of the plugin.
 *
 * A state, and what an operation was done with, are *records*: byte strings that are written once and named by a number.
 * Equal ones have one number, for the life of an exploration.  Those of the trace are in the wire; the explorer makes
 * others of its own when it asks what would have been (LOCAL).  The `value` of an entry of a user's operation is the
 * number of a label; the state of its object is the number of a state.
 *
 * Both sides use this file: it calls nothing of libc.
 */
#ifndef HEDDLE_OP_USER_H
#define HEDDLE_OP_USER_H

#include <stdbool.h>
#include <stdint.h>

#define HEDDLE_OP_TYPES_ONLY
#include "heddle/op.h"
#include "wire/wire.h"

#define OP_USER       160u /* the first number */
#define OP_USER_MAX   96u
#define OP_USER_KINDS 32u
#define OP_USER_QUEUE 24u /* threads that can wait for one object with a wakeup policy */

enum op_role {
        OP_ROLE_DO,     /* performed */
        OP_ROLE_SECOND, /* the same, its second object */
        OP_ROLE_ENTER,  /* with a wakeup policy: performed if it is its turn, else put into the queue */
};

/* What an entry of a user's operation was done with. */
struct op_label {
        uint32_t state; /* before: a record */
        uint16_t kind;
        uint8_t role, op;
        uint64_t arg;
        int64_t result;
};

/* Takes the operations of a plugin into the table.  NULL, or what is wrong with it. */
const char *op_user_add(const struct heddle_plugin *p);
/* A name without a plugin, from a trace file. */
bool op_user_name_only(uint32_t op, const char *name);

/* The number of a plugin's operation, 0 if it is none of them; and the operation of a number, NULL. */
uint32_t op_user_number(const struct heddle_op *op);
const struct heddle_op *op_user_op(uint32_t number);
uint32_t op_user_kind(const struct heddle_kind *kind);

bool op_user_known(uint32_t op);
const char *op_user_name(uint32_t op);
bool op_user_blocks(uint32_t op);
bool op_user_commuting(uint32_t op);
bool op_user_queued(uint32_t kind); /* does it have a queue? */

/* The first state of an object; a label; UINT64_MAX: no room. */
uint64_t op_user_first_state(const struct heddle_kind *kind, const void *object);
uint64_t op_user_label(const struct op_label *l);
/* The label of an entry; one of nothing if the number is none. */
struct op_label op_user_read(uint64_t value);
uint32_t op_user_state_of(uint64_t value);
uint32_t op_user_kind_of(uint64_t value);
/* The bytes of a state; NULL. */
const void *op_user_bytes(uint32_t state);

/* The plugin's answers.  `state2` may be NULL; both are changed to the states after. */
bool op_user_may(const struct op_label *l, uint32_t actor, uint64_t state);
int64_t op_user_do(const struct op_label *l, uint32_t actor, uint64_t *state, uint64_t *state2, bool *queued);
bool op_user_commute(const struct wire_access *a, const struct wire_access *b);
bool op_user_commute_in(const struct wire_access *a, const struct wire_access *b, uint64_t state);
struct heddle_call op_user_call(const struct op_label *l, uint32_t actor);

/* What the plugin says of an entry: its operation's `print`, or the state before.  false: nothing. */
bool op_user_print(char *text, size_t n, const struct wire_event *e);

/* The operation whose plugin function runs now, for the report of a crash; NULL: none. */
extern const char *volatile op_user_inside;

#endif
