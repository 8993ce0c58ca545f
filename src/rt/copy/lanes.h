/*
 * Vector accesses under a mask (src/instrument/vector.c): lanes whose mask is set, one by one.
 *
 * LANES(copy) defines the hooks over a function that copies bytes for the program: copy(to, from, size, site).
 */
#ifndef HEDDLE_RT_COPY_LANES_H
#define HEDDLE_RT_COPY_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rt/rt.h"

typedef void lanes_copy(void *to, const void *from, size_t size, uintptr_t site);

struct lanes {
        char *lanes;               /* in the frame of the caller */
        char *memory;              /* of the first lane; the others follow */
        char *const *pointers;     /* NULL, or where each of them is */
        const unsigned char *mask; /* a byte for each */
        size_t size, n;
};

static inline void lanes_walk(const struct lanes *l, bool stores, lanes_copy *copy, uintptr_t site)
{
        for (size_t i = 0; i < l->n; i++) {
                char *lane = l->lanes + i * l->size, *memory = l->pointers ? l->pointers[i] : l->memory + i * l->size;

                if (l->mask[i])
                        copy(stores ? memory : lane, stores ? lane : memory, l->size, site);
        }
}

#define LANES_HOOK(name, type, make, stores, copy)                                                                     \
        RT_EXPORT void name(char *lanes, type where, const unsigned char *mask, size_t size, size_t n);                \
        void name(char *lanes, type where, const unsigned char *mask, size_t size, size_t n)                           \
        {                                                                                                              \
                lanes_walk(&(struct lanes){.lanes = lanes, .make = where, .mask = mask, .size = size, .n = n}, stores, \
                           copy, RT_SITE());                                                                           \
        }
#define LANES(copy)                                                       \
        LANES_HOOK(__heddle_load_lanes, char *, memory, false, copy)      \
        LANES_HOOK(__heddle_store_lanes, char *, memory, true, copy)      \
        LANES_HOOK(__heddle_gather, char *const *, pointers, false, copy) \
        LANES_HOOK(__heddle_scatter, char *const *, pointers, true, copy)

#endif
