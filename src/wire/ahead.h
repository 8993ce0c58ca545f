/*
 * Schedules that the explorer is likely to ask for soon: the target runs them with the message at hand, before its own schedule,
 * so that one hand-over serves several executions.
 *
 * Each begins with the first `common` decisions of the message's prefix.  Its record holds what a plain end needs;
 * any other one is not recorded, and the explorer asks again.
 */
#ifndef HEDDLE_WIRE_AHEAD_H
#define HEDDLE_WIRE_AHEAD_H

#include <stdint.h>

#include "wire/entry.h"
#include "wire/loop.h"
#include "wire/thread.h"

#define WIRE_AHEAD           64u /* schedules whose answers are kept */
#define WIRE_AHEAD_BATCH     8u  /* of one message */
#define WIRE_AHEAD_COMMON    960u
#define WIRE_AHEAD_DECISIONS 64u
#define WIRE_AHEAD_SLEEP     32u
#define WIRE_AHEAD_FOOTPRINT 64u
#define WIRE_AHEAD_EVENTS    1024u
#define WIRE_AHEAD_THREADS   32u
#define WIRE_AHEAD_AWAITS    16u

struct wire_ahead {
        uint32_t common;
        uint32_t n_prefix, n_hints; /* decisions in all, and hints after them */
        uint32_t n_last, n_sleep;   /* as in a message */
        uint32_t n_footprint;
        struct wire_decision decisions[WIRE_AHEAD_DECISIONS]; /* after the common ones */
        struct wire_sleep sleep[WIRE_AHEAD_SLEEP];
        struct wire_access footprint[WIRE_AHEAD_FOOTPRINT];
};

struct wire_ahead_answer {
        uint32_t told; /* the number of the message it came with; another one: there is none */
        uint32_t n_events, n_transitions, n_threads, n_awaits;
        uint32_t end, clocks, leaks_known;
        int32_t exit_status;
        struct wire_event events[WIRE_AHEAD_EVENTS];
        struct wire_thread threads[WIRE_AHEAD_THREADS];
        struct wire_await awaits[WIRE_AHEAD_AWAITS];
};

#endif
