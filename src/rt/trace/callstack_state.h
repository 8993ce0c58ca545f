/* What callstack.c and the hooks of functions keep of each thread: its shadow call stack. */
#ifndef HEDDLE_RT_TRACE_CALLSTACK_STATE_H
#define HEDDLE_RT_TRACE_CALLSTACK_STATE_H

#include <stdint.h>

#include "wire/inline.h"

struct call_state {
        uint32_t
                n_calls; /* functions under way, unless the thread runs (position.h); those above RT_MAX_CALLS are not recorded */
        struct wire_call *calls; /* the outermost first; room for RT_MAX_CALLS, for as long as the process runs */
        uintptr_t via;           /* while a wrapper calls another for the program: the program's call, else 0 */
        uintptr_t allocates;     /* while libc or a wrapper allocates for the program: the program's call, else 0 */
        uint64_t
                inputs; /* a hash of the arguments of the call under way and of what it has read, 0: not known (cycle.c) */
};

#endif
