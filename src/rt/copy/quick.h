/*
 * Calls on strings of bytes that only read, where what they read is the running thread's own: they do their work at once, and
 * count what text.c counts.  false: the call is not of this kind, and nothing has happened.
 */
#ifndef HEDDLE_RT_COPY_QUICK_H
#define HEDDLE_RT_COPY_QUICK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* The first c of at most max bytes or, unless `raw`, the end before it; *at is max where there is neither. */
bool quick_find(const void *s, int c, bool raw, size_t max, uintptr_t site, size_t *at);
/* The difference of the first two bytes that differ, in at most max, or of two strings unless `raw`. */
bool quick_compare(const void *a, const void *b, bool raw, size_t max, uintptr_t site, int *result);

#pragma GCC visibility pop

#endif
