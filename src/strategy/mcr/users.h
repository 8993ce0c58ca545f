/*
 * Operations that plugins define (op/user.h).  Their results and the states that they leave are functions of the states of their
 * objects, which the plugin is asked for.  The value of such an object's cell is a record of the explorer's own.
 *
 *   node  cell, moved  the object, and the second one or 0
 *         value, mask  the argument, and the role (enum op_role)
 */
#ifndef HEDDLE_STRATEGY_MCR_USERS_H
#define HEDDLE_STRATEGY_MCR_USERS_H

#include "strategy/mcr/tries.h"
#include "strategy/mcr/wait/waiters.h"
#include "trace/trace.h"

/* The operation of a label, on an object. */
bool users_node(struct tries *t, uint64_t obj, uint64_t label, struct node *out);
/* The same of an entry, with its second object. */
bool users_event(struct tries *t, const struct trace *trace, uint32_t i, struct node *out);
/* Is it the part of an operation that concerns the second object? */
bool users_second(const struct wire_event *e);
/* Has the entry come from this state, with this result? */
bool users_agree(const uint64_t *now, const struct node *n, const struct wire_event *e, uint64_t result);

/* Is what comes next in this node the turn of a thread that waits in a queue? */
bool users_turn(const struct tries *t, const struct node *n);
bool users_enabled(const uint64_t *now, const struct node *n, uint32_t thread);
/* Performs it; what the thread can tell. */
uint64_t users_result(const uint64_t *now, const struct node *n, uint32_t thread);
void users_do(const uint64_t *now, const struct node *n, uint32_t thread, waiters_set *set, void *arg);

#endif
