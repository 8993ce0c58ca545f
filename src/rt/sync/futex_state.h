/* What futex.c keeps of each thread. */
#ifndef HEDDLE_RT_SYNC_FUTEX_STATE_H
#define HEDDLE_RT_SYNC_FUTEX_STATE_H

#include <stdint.h>

struct futex_state {
        uint64_t word; /* it waits in the queue of this word, 0: in none */
        uint64_t last; /* the queue that it was in last */
        uint32_t bits; /* FUTEX_WAIT_BITSET: its mask; valid while it waits */
};

#endif
