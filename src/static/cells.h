/*
 * Memory as the analysis sees it.
 *
 * An *object* is a variable, a call that allocates, or a function; object 0 is everything that unknown code may reach.  A
 * *location* is where a pointer may point: an object, an offset and a stride, which means offset + k * stride for all k; stride
 * 0: the offset alone.  A *cell* is the memory of an access: a location and a size.  Two cells of an object overlap if some of
 * their bytes are the same.
 *
 * Bounded: an object with more than CELLS_MAX locations or cells has one more for all the rest, with stride 1.
 */
#ifndef HEDDLE_STATIC_CELLS_H
#define HEDDLE_STATIC_CELLS_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

#define CELLS_MAX     96u
#define CELLS_UNKNOWN 0u         /* the object, and its location */
#define CELLS_WHOLE   UINT32_MAX /* a size that is not known */
#define CELLS_FAR     (1 << 20)  /* greater offsets are not told apart */

enum object_kind { OBJECT_UNKNOWN, OBJECT_GLOBAL, OBJECT_LOCAL, OBJECT_HEAP, OBJECT_FUNCTION };

struct object {
        LLVMValueRef value;
        uint8_t kind;
        bool escaped;        /* unknown code may reach it */
        bool constant;       /* nothing writes it */
        VEC(uint32_t) locs;  /* indices */
        VEC(uint32_t) cells; /* indices */
};

struct loc {
        uint32_t object;
        int32_t offset;
        uint32_t stride;
};

struct cell {
        struct loc at;
        uint32_t size;
        uint32_t in, out; /* nodes of the solver: what is stored there, and what a load may find */
};

struct cells {
        VEC(struct object) objects;
        VEC(struct loc) locs;
        VEC(struct cell) cells;
};

void cells_init(struct cells *c);
void cells_fini(struct cells *c);
uint32_t cells_object(struct cells *c, enum object_kind kind, LLVMValueRef value);
/* The location, made if it is not there. */
uint32_t cells_loc(struct cells *c, uint32_t object, int64_t offset, uint64_t stride);
/* A location moved by an offset and by any multiple of a stride. */
uint32_t cells_shift(struct cells *c, uint32_t loc, int64_t offset, uint64_t stride);
/* The cell; *made: it is new, without nodes. */
uint32_t cells_cell(struct cells *c, uint32_t loc, uint32_t size, bool *made);
/* Do bytes of one and the other coincide?  Of the same object. */
bool cells_overlap(struct loc a, uint32_t size, struct loc b, uint32_t other);

#endif
