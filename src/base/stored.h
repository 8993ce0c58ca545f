/* Arrays of vec.h in a stream. */
#ifndef HEDDLE_BASE_STORED_H
#define HEDDLE_BASE_STORED_H

#include "base/stream.h"
#include "base/vec.h"

#define STORED_MAX (1u << 28) /* elements of any array */

/* The first `count` elements of an array. */
#define vec_put(out, v, count) stream_put_array(out, (v)->at, count, sizeof *(v)->at)

/* Takes an array back, in place of what is there; false: out of memory.  After a failure of the stream it is empty. */
#define vec_get(in, v, limit) vec_get_(in, (void **)&(v)->at, &(v)->n, &(v)->room, limit, sizeof *(v)->at)

static inline bool vec_get_(struct stream *in, void **at, uint32_t *n, uint32_t *room, uint32_t limit, size_t size)
{
        uint32_t count = stream_get_count(in, limit, size);

        *n = 0;
        if (count >= *room && !vec_grow_(at, room, (uint64_t)count + 1, size))
                return false;
        stream_get(in, *at, count * size);
        *n = count;
        return true;
}

#endif
