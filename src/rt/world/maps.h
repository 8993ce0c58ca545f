/*
 * The mappings of this process, as the kernel lists them.
 */
#ifndef HEDDLE_RT_WORLD_MAPS_H
#define HEDDLE_RT_WORLD_MAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/layout.h"
#include "wire/inline.h"

struct mapping {
        uintptr_t lo, hi;
        bool read, write, exec, shared;
        uint64_t file;    /* tells files apart; the same for all memory without one */
        const char *name; /* up to a newline; valid during the call */
};

#pragma GCC visibility push(hidden)

/* Calls f for each, in the order of addresses.  Faults when the list cannot be read. */
void maps_each(void (*f)(void *arg, const struct mapping *m), void *arg);

/* Does it belong to the runtime, and to no snapshot? */
static inline bool maps_in_region(uintptr_t addr)
{
        return (addr >= RT_REGION_LO && addr < RT_REGION_HI) || (addr >= RT_SHADOW_LO && addr < RT_SHADOW_HI) ||
               addr == WIRE_NOW;
}

#pragma GCC visibility pop

#endif
