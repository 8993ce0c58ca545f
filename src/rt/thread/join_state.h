/* What join.c keeps of each thread: the use of its handle. */
#ifndef HEDDLE_RT_THREAD_JOIN_STATE_H
#define HEDDLE_RT_THREAD_JOIN_STATE_H

#include <stdbool.h>
#include <stdint.h>

struct handle_state {
        uint8_t detached, joined;
        bool claimed;       /* another thread is about to join it */
        uint16_t joined_by; /* valid if joined */
        uint8_t did;        /* what made the handle useless: an operation, ... */
        uint16_t by;        /* ... by this thread, ... */
        uint64_t site;      /* ... here */
};

#endif
