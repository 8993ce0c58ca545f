/*
 * What the program's state is, in three numbers: for the test that restoring is exact.
 */
#ifndef HEDDLE_RT_WORLD_FINGERPRINT_H
#define HEDDLE_RT_WORLD_FINGERPRINT_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

/* Called where the snapshot is taken and just after everything is put back: writes up->print, and up->print_text where
 * one differs from the first. */
void fingerprint_take(void);

/* The hash of the list of mappings, as far as it is the program's. */
uint64_t fingerprint_maps(void);

#pragma GCC visibility pop

#endif
