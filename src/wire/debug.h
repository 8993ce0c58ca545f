/* What a debugger's script and the runtime share: heddle gdb. */
#ifndef HEDDLE_WIRE_DEBUG_H
#define HEDDLE_WIRE_DEBUG_H

#include <stdint.h>

#define WIRE_DEBUG_TEXT 65536u

/* Between a debugger's script, which maps `up` too, and the runtime (WIRE_ISOLATE_DEBUG).  The text has a line for each
 * thread and each lock that is held, written when the script asks for it:
 *
 *     thread <id> <state> <operation, _ for space> <object>       object: an address, 0 for none
 *     held <id> <object>
 */
struct wire_debug {
        uint32_t stop_at;     /* by the script: stop before this entry, from 1; 0: at none */
        uint32_t stop_switch; /* by the script: stop when another thread's turn comes */
        uint32_t step;        /* the entry about to be performed */
        uint32_t actor;       /* the actor that performs it */
        uint32_t failed;      /* stopped because the actor failed (1), or broke an invariant (2) */
        uint32_t ended;       /* stopped because the execution is over */
        char text[WIRE_DEBUG_TEXT];
};

#endif
