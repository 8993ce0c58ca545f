/* A set of 128-bit hashes, in one table. */
#ifndef HEDDLE_STRATEGY_MCR_SEEN_H
#define HEDDLE_STRATEGY_MCR_SEEN_H

#include <stdbool.h>

#include "strategy/mcr/machine.h"

struct seen {
        struct hash128 *at;
        uint32_t bits;
        uint64_t n, max; /* max: it takes no more */
};

void seen_init(struct seen *s, uint64_t max);
void seen_fini(struct seen *s);
bool seen_has(const struct seen *s, struct hash128 h);
/* true: it was not there. */
bool seen_add(struct seen *s, struct hash128 h);

#endif
