/* The options of a search by many processes: --shard. */
#ifndef HEDDLE_CLI_MANY_MANY_OPTIONS_H
#define HEDDLE_CLI_MANY_MANY_OPTIONS_H

#include "cli/option/options.h"

/* Completes the configuration with them.  0, or STATUS_USAGE after saying what is wrong. */
int many_options(struct options *o);

#endif
