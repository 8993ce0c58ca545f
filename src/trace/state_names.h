/* What reports call the states of op/effect.def. */
#ifndef HEDDLE_TRACE_STATE_NAMES_H
#define HEDDLE_TRACE_STATE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Is it a state?  Then its name is in `to`. */
bool statename(char *to, size_t size, uint64_t obj);

#endif
