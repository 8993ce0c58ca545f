/*
 * A hash map from 64-bit numbers to pointers.  Entries are never removed; a stored pointer is never NULL.
 */
#ifndef HEDDLE_BASE_PTRMAP_H
#define HEDDLE_BASE_PTRMAP_H

#include <stddef.h>
#include <stdint.h>

struct ptrmap_slot {
        uint64_t key;
        void *value; /* NULL: free */
};

struct ptrmap {
        struct ptrmap_slot *slots;
        size_t cap, n; /* cap is a power of two or 0, and n at most half of it */
};

#define PTRMAP_INIT \
        {           \
                0   \
        }

/* The pointer stored for key, or NULL. */
void *ptrmap_find(const struct ptrmap *m, uint64_t key);

/* Stores a pointer for a key that is not there yet.  0, or -1 when out of memory. */
int ptrmap_insert(struct ptrmap *m, uint64_t key, void *value);

/* Frees the map, and each value with `release` unless that is NULL. */
void ptrmap_fini(struct ptrmap *m, void (*release)(void *));

#endif
