/* --check-ops: does a plugin keep its word? */
#ifndef HEDDLE_TARGET_PLUGIN_CHECK_H
#define HEDDLE_TARGET_PLUGIN_CHECK_H

#include "trace/trace.h"

/* Tests what is new in this trace.  0; -1: `why` (512 bytes) says what is wrong with the plugin, or that memory is out. */
int checkops_look(const struct trace *t, char *why);

#endif
