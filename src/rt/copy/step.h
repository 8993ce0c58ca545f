/*
 * Words of a call that reads or writes more than one of them: each is an access of its own.
 *
 * The runtime performs these accesses itself (mem*, str*), so other threads may run before each word that is shared.
 * Private words are not events; they count as positions all the same, so that a schedule does not depend on what is shared.
 */
#ifndef HEDDLE_RT_COPY_STEP_H
#define HEDDLE_RT_COPY_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct access_part;

#define STEP_BYTES 8u

#pragma GCC visibility push(hidden)

/* Is a call from here one of the program's, whose accesses are events? */
bool step_seen(uintptr_t site);

/* The running thread is in a call from `site` that is about to touch these ranges, in so many steps.
 * true: something of them is shared, and the call must make every access by step_read() and step_write().
 * false: all of it is private: that was accounted for, and the call accesses it as it likes. */
bool step_begin(const struct access_part *part, unsigned n, uint32_t steps, uintptr_t site);

/* How far a read goes: up to and including the first unit that is `stop` or, if not `raw`, 0. */
struct step_end {
        uint32_t unit; /* bytes: 1, or 4 for wide characters */
        uint32_t stop;
        bool raw;
};

/* Reads up to n bytes, which lie in one word (naturally aligned, 8 bytes), to memory of the runtime.  Returns how many:
 * fewer with an end, which may be NULL. */
uint32_t step_read(void *to, const void *from, uint32_t n, const struct step_end *end, uintptr_t site);
void step_write(void *to, const void *from, uint32_t n, uintptr_t site);

/* Do other threads use this word?  Then what is done to it is an event.  Or any word of a range? */
bool step_shared(const void *addr);
bool step_shared_range(const void *addr, size_t n);

#pragma GCC visibility pop

#endif
