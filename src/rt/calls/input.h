/* Streams that several threads read from. */
#ifndef HEDDLE_RT_CALLS_INPUT_H
#define HEDDLE_RT_CALLS_INPUT_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

/* The running thread is about to read from a stream that others may read from. */
void input_stream(const void *file, uintptr_t site);

#pragma GCC visibility pop

#endif
