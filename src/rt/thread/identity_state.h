/* What identity.c keeps of each thread: its attributes. */
#ifndef HEDDLE_RT_THREAD_IDENTITY_STATE_H
#define HEDDLE_RT_THREAD_IDENTITY_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct identity_state {
        int32_t rank;      /* its scheduling priority */
        bool own_sched;    /* it has a priority or processors of its own */
        size_t stack_size; /* as its attributes said; 0: they did not */
        size_t guard_size; /* ... or the default */
        char name[32];     /* pthread_setname_np, or empty */
};

#endif
