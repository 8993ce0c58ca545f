/*
 * A store buffer: the stores of one thread that have not reached memory, the oldest first.
 *
 * Memory holds the view of the thread that runs: its own buffered stores lie over what all others see.  A buffer is *in*
 * memory while its thread runs and *out* otherwise.  While it is in, every store keeps the bytes beneath it; taking them
 * out from the newest to the oldest uncovers what others see.  A store reaches memory by being dropped while it is in: the
 * bytes stay, and what lies above it holds them as the bytes beneath.
 *
 * Invariant: a store is dropped only if no older one of the same buffer overlaps it.  Stores after `open` from the end have
 * been announced and are not made yet: their bytes are read from memory by buffer_settle().
 */
#ifndef HEDDLE_RT_WEAK_BUFFER_H
#define HEDDLE_RT_WEAK_BUFFER_H

#include <stdbool.h>
#include <stdint.h>

#define BUFFER_MAX_STORES 4096u
#define BUFFER_MAX_BYTES  16u

struct buffer_store {
        uint64_t addr;
        uint64_t site; /* the program's */
        uint32_t size;
        uint32_t pos;    /* hook calls of the thread up to it */
        uint32_t serial; /* stores of the thread up to it, this one included */
        uint32_t behind; /* comes after all stores of the thread with a serial below this */
        uint32_t number; /* stores of its actor up to it, this one included */
        uint16_t actor;  /* performs its flush */
        uint8_t op;      /* what that is */
        bool ignored;    /* it has no actor of its own */
        void *object;    /* ... and to what, if not to memory only */
        uint64_t arg;
        uint32_t entry; /* of the trace, if it is heard of */
        uint8_t now[BUFFER_MAX_BYTES];
        uint8_t under[BUFFER_MAX_BYTES]; /* valid while the buffer is in */
};

struct store_buffer {
        struct buffer_store *at; /* room for BUFFER_MAX_STORES */
        uint32_t n, open;
        uint32_t serial; /* of the last store of this execution */
        uint32_t fence;  /* what comes now stays behind all stores with a serial below this */
};

#pragma GCC visibility push(hidden)

/* A store is about to be made; at most BUFFER_MAX_BYTES, and there must be room. */
struct buffer_store *buffer_push(struct store_buffer *b, uint64_t addr, uint32_t size);

/* What was announced has been made. */
void buffer_settle(struct store_buffer *b);

/* What was written over a store unseen, by libc or the kernel, goes with it from now on. */
void buffer_take_out(struct store_buffer *b);
void buffer_put_in(struct store_buffer *b);

/* Store i leaves the buffer, and is in memory if that is in. */
void buffer_drop(struct store_buffer *b, uint32_t i);

/* The same for a buffer that is out. */
void buffer_drop_out(struct store_buffer *b, uint32_t i);

bool buffer_overlap(const struct buffer_store *s, uint64_t addr, uint32_t size);

/* Does an older store of the buffer have to reach memory before store i? */
bool buffer_stays_behind(const struct store_buffer *b, uint32_t i);

/* The newest store with number below `end` that overlaps the bytes, or UINT32_MAX. */
uint32_t buffer_newest(const struct store_buffer *b, uint32_t end, uint64_t addr, uint32_t size);

#pragma GCC visibility pop

#endif
