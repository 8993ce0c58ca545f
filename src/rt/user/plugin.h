/* The plugins of --ops (heddle/op.h): their operations as the scheduler asks for them. */
#ifndef HEDDLE_RT_USER_PLUGIN_H
#define HEDDLE_RT_USER_PLUGIN_H

#include <stdbool.h>
#include <stdint.h>

struct op_label;
struct thread;

#pragma GCC visibility push(hidden)

/* Finds the plugins that heddle named; they are loaded. */
void userop_init(void);
/* May the thread perform the plugin's operation that it is at? */
bool userop_enabled(const struct thread *t);
/* The label of that operation; as a number, and whole. */
uint64_t userop_label(const struct thread *t);
struct op_label userop_pending(const struct thread *t);
/* A signal came: if it was in a function of a plugin, the execution ends and names it. */
void userop_crashed(const char *signal);
/* A plugin is not usable: `format` has one %s, for the name. */
_Noreturn void userop_wrong(const char *format, const char *name);

#pragma GCC visibility pop

#endif
