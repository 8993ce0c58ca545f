/* What memory.c and string.c share: the report of a call whose footprint depends on what it reads. */
#ifndef HEDDLE_RT_STRING_H
#define HEDDLE_RT_STRING_H

#include "rt/rt.h"

#pragma GCC visibility push(hidden)

#define STRING_PARTS 3

/* Is a call from here reported? */
bool string_seen(uintptr_t site);

/* A fortified form found that the destination is too small. */
_Noreturn void string_overflow(uintptr_t site);

/* Says what a call with these arguments would touch in the present state of memory.  The parts are empty before. */
typedef void string_foot(struct access_part *part, const void *a, const void *b, size_t n);

/* Reports a call from `site`, if it is to be.  On return the call must be made at once: it touches nothing but what
 * was reported last. */
void string_report(string_foot *foot, const void *a, const void *b, size_t n, uintptr_t site);

#pragma GCC visibility pop

#endif
