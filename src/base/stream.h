/*
 * Bytes that grow at their end, and are read from their beginning: what checkpoints and messages between explorers are
 * made of.  Numbers are stored as they lie in memory: a stream is read by the build that wrote it.
 *
 * A failure (out of memory; more is read than there is; a number is out of its bounds) is remembered: everything after
 * it does nothing, and reads zeros.  So a reader may take a whole record and ask once at its end, as long as it
 * indexes nothing with what it read before it asked.
 */
#ifndef HEDDLE_BASE_STREAM_H
#define HEDDLE_BASE_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stream {
        unsigned char *at;
        size_t n, room;
        size_t pos; /* of the next byte that is read */
        bool failed;
};

#define STREAM_INIT \
        {           \
                0   \
        }

void stream_fini(struct stream *s);
/* Empties it and keeps the memory. */
void stream_reset(struct stream *s);

void stream_put(struct stream *s, const void *from, size_t n);
void stream_put_u32(struct stream *s, uint32_t v);
void stream_put_u64(struct stream *s, uint64_t v);
/* A count and as many elements of `size` bytes; stream_get_array() reads them. */
void stream_put_array(struct stream *s, const void *from, uint32_t n, size_t size);
/* A text without its end; NULL is the empty text. */
void stream_put_text(struct stream *s, const char *text);

void stream_get(struct stream *s, void *to, size_t n);
uint32_t stream_get_u32(struct stream *s);
uint64_t stream_get_u64(struct stream *s);
/* A number that must be at most `limit`. */
uint32_t stream_get_max(struct stream *s, uint32_t limit);
/* A count of at most `limit` elements of `size` bytes each, all of which are still there. */
uint32_t stream_get_count(struct stream *s, uint32_t limit, size_t size);
/* Elements in memory of their own (NULL when there are none, or after a failure), freed by the caller. */
void *stream_get_array(struct stream *s, uint32_t limit, size_t size, uint32_t *n);
/* A text in memory of its own, freed by the caller; NULL after a failure. */
char *stream_get_text(struct stream *s, uint32_t limit);

/* Is everything read, and was all of it right? */
bool stream_done(const struct stream *s);

/* A 64-bit hash of bytes: no protection against intent. */
uint64_t stream_hash(uint64_t seed, const void *bytes, size_t n);

#endif
