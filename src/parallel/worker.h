/* A process that explores what the coordinator (coordinator.c) gives it. */
#ifndef HEDDLE_PARALLEL_WORKER_H
#define HEDDLE_PARALLEL_WORKER_H

#include "engine/session.h"
#include "strategy/strategy.h"

#define WORKER_PARTS (1u << 30)

struct jobs_figures { /* of one worker, a cache line of its own */
        uint64_t executions, blocked;
        uint32_t called; /* there is a message */
        uint32_t share;  /* of its subtree that is explored, in WORKER_PARTS */
        uint32_t unfair; /* --fair-after: there is more beyond the limit ... */
        uint32_t pad[7];
        uint64_t rounds; /* ... of which so many rounds were run */
};

/* Memory that coordinator and workers share; read often, hardly ever written. */
struct jobs_shared {
        uint32_t hungry; /* so many workers have nothing to do */
        uint32_t pad[15];
        uint64_t started; /* executions, while --executions limits them, of a generation (jobs_started) */
        uint64_t pad2[7];
        struct jobs_figures figures[];
};

/* `started`: so many executions of this generation.  Those of an earlier one, which its workers run until they hear of the new one, do not
 * count. */
#define JOBS_STARTED_BITS 40u
static inline uint64_t jobs_started(uint32_t generation, uint64_t n)
{
        return (uint64_t)generation << JOBS_STARTED_BITS | n;
}

static inline uint64_t jobs_started_count(uint64_t started)
{
        return started & ((UINT64_C(1) << JOBS_STARTED_BITS) - 1);
}

/* The life of worker number `index`, in a process forked off the coordinator; `fd` leads to that. */
_Noreturn void worker_main(struct session *s, struct strategy *strategy, struct jobs_shared *shared, uint32_t index,
                           int fd);

#endif
