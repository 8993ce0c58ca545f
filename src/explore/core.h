/*
 * The core that explorer and target share: chosen, and left when somebody else keeps it busy.
 */
#ifndef HEDDLE_EXPLORE_CORE_H
#define HEDDLE_EXPLORE_CORE_H

#include <sched.h>
#include <stdbool.h>

struct core {
        cpu_set_t allowed; /* what we may use at all */
        int cpu;           /* where we are, -1: anywhere */
        double wall, used; /* clocks at the last look */
};

/* Pins the calling thread to the core it runs on; a target started afterwards inherits that. */
void core_pin(struct core *c);

/* Now and then: if the two get much less than a core's time, both move to the next one.  pid is the target, or 0. */
void core_look(struct core *c, int pid);

#endif
