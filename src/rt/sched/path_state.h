/* How far a thread has followed its recorded path (path.c). */
#ifndef HEDDLE_RT_SCHED_PATH_STATE_H
#define HEDDLE_RT_SCHED_PATH_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/recording.h"

#define PATH_BAND 128u

/* A thread that has left its path (path.h). */
struct path_near {
        bool on;                 /* it is off its path ... */
        uint32_t exact;          /* ... and has made so many branches in a row as recorded since then */
        uint64_t missed;         /* bits that are others, more or fewer than recorded */
        uint64_t from;           /* positions from here on ... */
        uint8_t cost[PATH_BAND]; /* ... each with its distance, less `missed`; UINT8_MAX: too far */
};

struct path_state {
        uint32_t path;              /* its number + 1; 0: not looked for yet */
        uint32_t stamp;             /* times that it has passed */
        uint32_t turns;             /* threads that it has created or joined */
        uint32_t input[REC_INPUTS]; /* inputs that it has passed, of each kind */
        uint32_t handlers;          /* handlers of signals that it runs: they are not recorded */
        uint64_t at;                /* bits that were followed */
        uint64_t visit;             /* `at` when it was last at the place of a loop that it may wait in ... */
        uint64_t round_at;          /* ... and when it was found waiting there ... */
        uint64_t round;             /* ... after a round of so many bits; 0: never */
        uint64_t reads;             /* a hash of what it has read since its last branch, which was ... */
        uint64_t reads_at;          /* ... at this position */
        struct path_near near;
};

#endif
