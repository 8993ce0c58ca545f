/* Calls of libc that no table lists. */
#ifndef HEDDLE_RT_CALLS_UNLISTED_H
#define HEDDLE_RT_CALLS_UNLISTED_H

#include <stdbool.h>
#include <stddef.h>

#pragma GCC visibility push(hidden)

/* Does the program, or a library that comes with it, call one of these functions of libc? */
bool unlisted_imports(const char *const *functions, size_t n);
/* From now on such calls are named; once, before the first thread starts. */
void unlisted_init(void);

#pragma GCC visibility pop

#endif
