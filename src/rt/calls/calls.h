/*
 * What calls read and write of the program's memory: accesses of the calling thread that no compiler announces.
 *
 * The table is calls.def; calls.c announces what its rows say.  Wrappers that do more than announce use call_in() and
 * call_out() and have a row that says what they access.
 */
#ifndef HEDDLE_RT_CALLS_CALLS_H
#define HEDDLE_RT_CALLS_CALLS_H

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* The running thread is about to read these bytes, in one step.  Nothing happens if p is NULL, or outside `check`. */
void call_in(const void *p, size_t n, uintptr_t site);

/* Writes n bytes of the program's memory for it: naturally aligned words of up to 8 bytes, ascending; other threads may
 * run before each.  `from` is not the program's.  Nothing happens if `to` is NULL; outside `check` it is a copy. */
void call_out(void *to, const void *from, size_t n, uintptr_t site);

#pragma GCC visibility pop

#endif
