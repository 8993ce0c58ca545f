/* Debug registers of the machine: words whose accesses by the target raise SIGTRAP there. */
#ifndef HEDDLE_TARGET_WATCHPOINTS_H
#define HEDDLE_TARGET_WATCHPOINTS_H

#include <stdbool.h>
#include <stdint.h>

#include "target/target.h"

#define WATCHPOINTS 4u

struct watched_word {
        uint64_t addr;
        uint32_t size;
};

/* Watches these words, at most WATCHPOINTS of them, and no others, from now on, in a target that waits for a message.  False: the
 * machine or the system does not permit it. */
MUST_CHECK bool target_watch(struct target *t, const struct watched_word *words, uint32_t n);

#endif
