/*
 * Output to C++ streams: a call writes the buffer of the stream.  What it prints is read by functions of libc, which the
 * library calls (strlen, memcpy, fwrite), and by this: the object of a std::string.  Buffers of the
 * standard streams are locked by libc, so they are not operations: the order of output is not part of the equivalence.  A
 * buffer of any other class is an object of the program, and two threads that print to it without a lock race.
 *
 * The offsets are those of libstdc++'s ABI, which has one: a stream begins with a pointer to its table, which has the offset
 * of its std::ios before its first entry; that has a pointer to the buffer.
 */
#include "rt/calls/cxx_stream.h"

#include "rt/loops/registers.h"
#include "rt/memory/access.h"
#include "rt/memory/access_part.h"
#include "rt/memory/heap.h"
#include "op/op.h"
#include "rt/threads.h"
#include "rt/util.h"

#define TABLE_TO_IOS  (-3) /* words */
#define IOS_TO_BUFFER 232u /* bytes */

/* The buffer of a stream; NULL: it is synchronised, or there is none. */
static const void *buffer_of(uint64_t stream, uint64_t synchronized)
{
        const int64_t *table;
        const uint64_t *buffer;

        if (!stream || !memory_is_there(stream))
                return NULL;
        table = *(const int64_t *const *)stream;
        if (!table || !memory_is_there(stream + (uint64_t)table[TABLE_TO_IOS] + IOS_TO_BUFFER))
                return NULL;
        buffer = *(const uint64_t *const *)(stream + (uint64_t)table[TABLE_TO_IOS] + IOS_TO_BUFFER);
        if (!buffer || !memory_is_there((uintptr_t)buffer))
                return NULL;
        return synchronized && *buffer == synchronized + 2 * sizeof(void *) ? NULL : buffer;
}

void cxx_stream_output(const struct wire_locked *l, uint64_t first, uint64_t second, uint64_t site)
{
        bool takes = l->source == WIRE_OUTPUT_TAKE || l->source == WIRE_OUTPUT_BUFFER;
        struct access_part part[2] = {{OP_READ, NULL, 2 * sizeof(void *)},
                                      {takes ? OP_READ : OP_WRITE, NULL, sizeof(void *)}};

        if (l->source == WIRE_OUTPUT_STRING)
                part[0].addr = (const void *)second; /* where its text is, and how long; libc functions read that */
        if (l->source == WIRE_OUTPUT_BUFFER)
                part[1].addr = (const void *)second;
        else
                part[1].addr = buffer_of(takes ? second : first, (uint64_t)l->immediate);
        spin_regs[7] = 0; /* not the place of a loop */
        access_parts(part, 2, site);
}
