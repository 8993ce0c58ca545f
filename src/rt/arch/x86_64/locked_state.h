/* What locked.c keeps of each thread: hook calls that were instructions of inline assembly, and waits that are not seen. */
#ifndef HEDDLE_RT_ARCH_X86_64_LOCKED_STATE_H
#define HEDDLE_RT_ARCH_X86_64_LOCKED_STATE_H

#include <stdint.h>

struct locked_state {
        uint32_t n;                 /* all of them, ... */
        uint32_t run;               /* ... those since the last ordinary hook call, ... */
        uint32_t after;             /* ... and the index of that one among the ordinary hook calls */
        uint32_t pauses, paused_at; /* `pause` instructions in a row, after so many hook calls */
};

#endif
