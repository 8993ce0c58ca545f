/* What clock.c keeps of each thread: its virtual time. */
#ifndef HEDDLE_RT_WORLD_CLOCK_STATE_H
#define HEDDLE_RT_WORLD_CLOCK_STATE_H

#include <stdbool.h>
#include <stdint.h>

struct clock_state {
        uint64_t vtime;   /* nanoseconds since the start */
        uint32_t n_asked; /* how often it asked for the time */
        bool joined;      /* it follows from other threads, too: there was an operation that may have moved it on */
};

#endif
