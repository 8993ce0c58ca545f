/* The states of effect.def: their numbers.  Each is an object, WIRE_OBJ_STATE(number). */
#ifndef HEDDLE_OP_EFFECT_H
#define HEDDLE_OP_EFFECT_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/limits.h"

/* STATE_x is the first of its kind. */
enum effect_state {
#define STATE(name, text, count) STATE_##name, STATE_LAST_##name = STATE_##name + (count)-1,
#include "op/effect.def"
#undef STATE
        STATE_COUNT
};

/* Is the object a state that libc keeps under a lock of its own?  Its operations synchronise. */
static inline bool effect_is_locked(uint64_t obj)
{
        uint64_t n = (obj - WIRE_OBJ_STATE(0)) / 8;

        return n <= STATE_LAST_QUICK_HANDLERS || (n >= STATE_STREAM && n <= STATE_LAST_STREAM);
}

#endif
