/*
 * Calls whose memory the running thread owns: there is nothing to do at them, as there is nothing at its own loads and stores
 * of such memory (wire/inline.h).
 */
#ifndef HEDDLE_RT_MEMORY_OWN_H
#define HEDDLE_RT_MEMORY_OWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct access_part;
struct thread;

#pragma GCC visibility push(hidden)

/* Does t, which runs, own all of these parts, and is it neither followed nor out of patience?  Then what lies at the ends of blocks
 * is checked, and the parts need nothing else. */
bool own_parts(struct thread *t, const struct access_part *part, unsigned n, uintptr_t site);
/* The same of the running thread and a call that reads one part and does `op` to another (0 bytes: none), where nothing is to be
 * checked either: then the call has been counted, and may do its work. */
bool own_two(const void *a, size_t n, uint32_t op, const void *b, size_t m, uint32_t steps, uintptr_t site);

#pragma GCC visibility pop

#endif
