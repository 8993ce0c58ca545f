/* The executions of a shard that another one may have run too (shard.c), by the hashes of their Mazurkiewicz traces. */
#ifndef HEDDLE_PARALLEL_SHARD_CLASSES_H
#define HEDDLE_PARALLEL_SHARD_CLASSES_H

#include "base/ptrmap.h"
#include "base/vec.h"
#include "verdict/result.h"

#define SHARD_CLASSES 10000000u /* at most: 16 bytes each in memory, in the report in base64 as well */

struct shard_classes {
        VEC(struct result_class) classes;
        VEC(struct result_shown) shown;
        struct ptrmap shown_at; /* index + 1 of a combination */
};

bool shard_classes_full(const struct shard_classes *c);
/* One that showed this; it is not full.  false: out of memory. */
bool shard_classes_add(struct shard_classes *c, uint64_t hash, const struct result_shown *shown);
/* The result owns them from now on. */
void shard_classes_hand_over(struct shard_classes *c, struct result_shard *r);
void shard_classes_reset(struct shard_classes *c);

#endif
