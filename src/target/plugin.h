/* Plugins of users' operations in the explorer. */
#ifndef HEDDLE_TARGET_PLUGIN_H
#define HEDDLE_TARGET_PLUGIN_H

#include "base/error.h"
#include "config/config.h"
#include "wire/wire.h"

/* Loads the plugins of config->ops.  0, or ERROR_USAGE. */
MUST_CHECK int plugin_load(const struct config *config, struct error *why);

/* Tells the target of them, and uses the records of its traces.  0, or -1: out of memory. */
MUST_CHECK int plugin_attach(const struct config *config, struct wire_down *down, const struct wire_up *up);

/* Keeps the records of the traces when the wire goes: reports ask for them. */
void plugin_detach(void);

#endif
