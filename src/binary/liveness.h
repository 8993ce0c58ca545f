/*
 * Which registers and bytes of a frame the code after a call may still read: liveness, from the machine code of a function.
 */
#ifndef HEDDLE_BINARY_LIVENESS_H
#define HEDDLE_BINARY_LIVENESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "binary/liveness_code.h"
#include "wire/loop.h"

/* Fills `frame`, `live`, `scratch` and `dead` of a loop (and of a module `told`), for the return address `site`, or for the instruction that ends there.  false: they cannot be known, and are untouched. */
bool liveness_find(const struct liveness_code *f, uint64_t site, struct wire_loop *out);

/* The same for a module: finds the function.  `site` is relative to its base. */
bool liveness_of_module(const char *path, uint64_t site, struct wire_loop *out);

#endif
