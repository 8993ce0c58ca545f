/*
 * The core that explorer and target share: chosen, and left when other processes keep it busy.
 */
#ifndef HEDDLE_TARGET_CPU_AFFINITY_H
#define HEDDLE_TARGET_CPU_AFFINITY_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "wire/wire.h"

struct core {
        cpu_set_t allowed; /* what we may use at all */
        int cpu;           /* where we are, -1: anywhere */
        bool stay;         /* the other cores are taken by other explorers */
        double wall, used; /* clocks at the last look */
};

/* Pins the calling thread to the core it runs on; a target started afterwards inherits that. */
void core_pin(struct core *c);

/* The processors that the program is to see: those of the machine, and the set that heddle was started with; or as many as it saw
 * when it was recorded. */
void core_publish(const struct core *c, struct wire_down *d);

/* For worker number `index` of `n`: pins to a core of its own where there are enough. */
void core_choose(struct core *c, uint32_t index, uint32_t n);

/* Takes it back. */
void core_unpin(struct core *c);

/* Now and then: if the two get much less than a core's time, both move to the next one.  pid is the target, or 0. */
void core_look(struct core *c, int pid);

#endif
