/* --check-ops: does a plugin keep its word? */
#ifndef HEDDLE_TARGET_PLUGIN_CHECK_H
#define HEDDLE_TARGET_PLUGIN_CHECK_H

#include "base/error.h"
#include "trace/trace.h"

/* Tests what is new in this trace.  0; -1: `why` says what is wrong with the plugin, or that it is out of memory. */
MUST_CHECK int checkops_look(const struct trace *t, struct error *why);

#endif
