/* What malloc.c and choice.c keep of each thread: allocations that fail by decision. */
#ifndef HEDDLE_RT_MEMORY_MALLOC_STATE_H
#define HEDDLE_RT_MEMORY_MALLOC_STATE_H

#include <stdbool.h>
#include <stdint.h>

struct alloc_state {
        uint32_t n_denied; /* those that failed; counted by thread, so that no other can observe it */
        bool no_memory;    /* its next allocation fails: operator new must report that there is none */
};

#endif
