/* The recorded paths of threads (record/), which an execution has to follow: wire_down has them. */
#ifndef HEDDLE_WIRE_PATH_H
#define HEDDLE_WIRE_PATH_H

#include <stdint.h>

#include "wire/recording.h"

#define WIRE_MAX_PATHS        REC_MAX_THREADS
#define WIRE_MAX_PATH_WORDS   (1u << 22)
#define WIRE_MAX_PATH_STAMPS  (1u << 20)
#define WIRE_MAX_PATH_INPUTS  (1u << 18)
#define WIRE_MAX_PATH_REPEATS (1u << 18)
#define WIRE_PATHS_LEFT       (1u << 16)

struct wire_path {
        uint32_t parent, nth; /* of the thread, as in struct rec_thread */
        uint64_t lost, bits;  /* the first `lost` bits are not known; `bits` are, behind them */
        uint32_t first;       /* its first word of `words`; 64 bits each, the first bit lowest */
        uint32_t first_repeat, n_repeats;
        uint32_t first_stamp, n_stamps;
        uint32_t first_input, n_inputs; /* what it got from outside, in the order of its calls */
};

/* The thread was at this bit at this time, on this core.  `turns`: that many threads were created or joined by it, since it is the
 * time of one of these; 0: it is not, or that is not known. */
struct wire_stamp {
        uint64_t time, bit;
        uint32_t core, turns;
};

/* The run's seed of a tail of paths: the order is that of times that are drawn, and how often others than the recorded ones are. */
#define PATH_SEED_TIMED  (UINT64_C(1) << 8)
#define PATH_SEED_OTHERS (UINT64_C(1) << 9)
#define PATH_SEED_MASK   (UINT64_C(7) << 8)

/* Its depth.  STRICT: the execution ends where a thread leaves its path, and threads wait before reads that have led there; FREE: and
 * times do not count. */
#define PATH_STRICT 1u
#define PATH_FREE   2u

/* The known bits `from` to `until` are those right before `from`, over and over; they are not in `words`. */
struct wire_repeat {
        uint64_t from, until;
        uint64_t left_out; /* bits before `from` that are not in `words` */
        uint32_t period;
};

struct wire_paths {
        uint32_t n;           /* 0: nothing is followed */
        uint32_t open;        /* more threads ran than were recorded: others may run as they like */
        uint32_t failure;     /* enum rec_failure: no other failure counts, ... */
        uint32_t status;      /* ... and with REC_EXIT no other status */
        uint32_t failing;     /* the thread that failed, at the end of its path */
        uint32_t processors;  /* that were online; 0: not known */
        uint32_t stray;       /* of 100 branches so many may go another way; with 0 all are as recorded */
        char place[REC_TEXT]; /* of a failed assertion, as its text has it; "": not known */
        struct wire_path all[WIRE_MAX_PATHS];
        uint64_t words[WIRE_MAX_PATH_WORDS];
        struct wire_stamp stamps[WIRE_MAX_PATH_STAMPS];
        uint32_t untyped; /* inputs are of one kind, in the order of all calls */
        uint64_t inputs[WIRE_MAX_PATH_INPUTS];
        uint8_t input_kinds[WIRE_MAX_PATH_INPUTS]; /* enum rec_input */
        struct wire_repeat repeats[WIRE_MAX_PATH_REPEATS];
        uint64_t left
                [WIRE_PATHS_LEFT]; /* where threads of strict executions left their paths, each at its place by its lowest bits */
};

#endif
