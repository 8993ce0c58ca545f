/* Output to C++ streams. */
#ifndef HEDDLE_RT_CALLS_CXX_STREAM_H
#define HEDDLE_RT_CALLS_CXX_STREAM_H

#include <stdint.h>

#include "wire/locked.h"

#pragma GCC visibility push(hidden)

/* Announces a call of the running thread that prints, with its first two arguments; `site` is where it returns to. */
void cxx_stream_output(const struct wire_locked *l, uint64_t first, uint64_t second, uint64_t site);

#pragma GCC visibility pop

#endif
