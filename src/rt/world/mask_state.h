/* What signal_state.c keeps of each thread. */
#ifndef HEDDLE_RT_WORLD_MASK_STATE_H
#define HEDDLE_RT_WORLD_MASK_STATE_H

#include <stdint.h>

struct mask_state {
        uint64_t mask;    /* its signal mask, while the kernel thread that all share has another's */
        uint64_t pending; /* signals to itself that it blocks */
};

#endif
