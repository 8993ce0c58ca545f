/* A store of a buffer that reaches memory, as rt/loops looks at it. */
#ifndef HEDDLE_RT_WEAK_REACHED_H
#define HEDDLE_RT_WEAK_REACHED_H

#include <stdint.h>

struct object;

struct mm_reached {
        uint64_t addr;
        uint32_t size;
        uint32_t serial;       /* stores of the thread up to it, this one included */
        struct object *object; /* whose state it makes 0; NULL: memory */
        const uint8_t *before, *after;
};

#endif
