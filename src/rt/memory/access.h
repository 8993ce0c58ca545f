/* Accesses to the program's memory that a wrapper announces, and the hooks of instrumented code. */
#ifndef HEDDLE_RT_MEMORY_ACCESS_H
#define HEDDLE_RT_MEMORY_ACCESS_H

#include <stddef.h>
#include <stdint.h>

struct access_part;
struct wire_event;

/* The bodies of functions that run are the instrumented ones (instrument/clone.h): from the start of the program on, when there
 * are threads and shadow memory. */
extern char __heddle_checked __attribute__((visibility("default")));

#pragma GCC visibility push(hidden)

/* An access of `size` bytes that no compiler instrumented (mem*, str*, heddle_read): op is OP_READ or OP_WRITE.
 * A scheduling point where the range is shared.  Call it before the access is made. */
void access_range(uint32_t op, const void *addr, size_t size, uintptr_t site);
/* A plain access by a thread whose registers are noted (spin_regs). */
void access_noted(uint32_t op, uintptr_t addr, uint32_t size, uintptr_t site);

/* A write under a lock of libc: a scheduling point that does not race with others of its kind. */
void access_locked(const void *addr, size_t size, uintptr_t site);

/* Several ranges of one call, as ONE transition: reads of one and writes of the other, either may be NULL. */
void access_pair(const void *rd, size_t rn, const void *wr, size_t wn, uintptr_t site);
/* The general form, for calls that read two strings or read and write one: n parts, empty ones are ignored. */
void access_parts(const struct access_part *part, unsigned n, uintptr_t site);

/* What instrumented code has asked for in RT_NOW, and returns to (wire/inline.h); registers are noted. */
void access_inline(uintptr_t site) __attribute__((used));

#pragma GCC visibility pop

#endif
