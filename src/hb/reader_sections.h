/* Sections of operations that commute, such as those of readers, and what keeps another operation from running. */
#ifndef HEDDLE_HB_READER_SECTIONS_H
#define HEDDLE_HB_READER_SECTIONS_H

#include "hb/clocks.h"

/* The operation `a`, which did not run, waits for the sections in the accesses from `head` on.  It could run after those that
 * are whole.  Writes down the first transition of the others, and joins what happens before the whole ones into the clock.
 * NONE: there are no others, or it could not run without them.  false: out of memory or time. */
bool reader_sections_whole(struct causality *c, uint32_t head, const struct wire_access *a, uint32_t *clock,
                           uint32_t *first);

#endif
