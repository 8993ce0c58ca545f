/* Total store order: each thread has one buffer, first in, first out. */
#include "rt/sched/pool.h"
#include "rt/threads.h"
#include "rt/weak/model.h"

static uint32_t buffer_of(const struct thread *t, uint64_t addr)
{
        (void)addr;
        return t->id;
}

const struct mm_model mm_tso = {
        .in_order = true,
        .full = REASON_STORES,
        .n_buffers = pool_size,
        .buffer_of = buffer_of,
};
