/* Operations of plugins (heddle/op.h), performed. */
#ifndef HEDDLE_RT_SCHED_USER_OP_H
#define HEDDLE_RT_SCHED_USER_OP_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

#pragma GCC visibility push(hidden)

/* Finds the plugins that heddle named; they are loaded. */
void userop_init(void);
/* May the thread perform the plugin's operation that it is at? */
bool userop_enabled(const struct thread *t);
/* The label of that operation. */
uint64_t userop_label(const struct thread *t);
/* A signal came: if it was in a function of a plugin, the execution ends and names it. */
void userop_crashed(const char *signal);

#pragma GCC visibility pop

#endif
