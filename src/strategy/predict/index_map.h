/*
 * A map from 64-bit keys to numbers above 0.  Entries are never removed; all of them are with index_map_clear().
 */
#ifndef HEDDLE_STRATEGY_PREDICT_INDEX_MAP_H
#define HEDDLE_STRATEGY_PREDICT_INDEX_MAP_H

#include "base/stream.h"

struct index_map_slot {
        uint64_t key;
        uint32_t value; /* 0: free */
};

struct index_map {
        struct index_map_slot *slots;
        uint32_t n, bits; /* n is at most half of 2^bits */
};

/* The number of a key, 0: none. */
uint32_t index_map_find(const struct index_map *m, uint64_t key);
/* The place of the number of a key, which is 0 if the key is new: the caller then stores another one.  Valid until the next
 * call. */
uint32_t *index_map_at(struct index_map *m, uint64_t key);
void index_map_save(const struct index_map *m, struct stream *out);
/* Into an empty map.  A number above `most` is malformed, and in->failed says so. */
void index_map_load(struct index_map *m, uint32_t most, struct stream *in);
void index_map_clear(struct index_map *m);
void index_map_fini(struct index_map *m);

#endif
