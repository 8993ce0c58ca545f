/* A part of a call that accesses several ranges. */
#ifndef HEDDLE_RT_MEMORY_ACCESS_PART_H
#define HEDDLE_RT_MEMORY_ACCESS_PART_H

#include <stddef.h>
#include <stdint.h>

struct access_part {
        uint32_t op; /* OP_READ or OP_WRITE */
        const void *addr;
        size_t size;
};

#endif
