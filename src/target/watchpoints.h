/* Debug registers of the machine: words whose accesses by the target raise SIGTRAP there. */
#ifndef HEDDLE_TARGET_WATCHPOINTS_H
#define HEDDLE_TARGET_WATCHPOINTS_H

#include <stdbool.h>
#include <stdint.h>

#define WATCHPOINTS 4u

struct watched_word {
        uint64_t addr;
        uint32_t size;
};

/* Lets this process, which waits for us, run with these words under watch, at most WATCHPOINTS of them, and no others.  False: it
 * is neither the target nor its child, or the machine or the system does not permit it. */
bool watchpoints_set(int pid, int target, const struct watched_word *words, uint32_t n);

#endif
