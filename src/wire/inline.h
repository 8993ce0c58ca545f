/* What instrumented code does by itself: the part of its layout that the instrumenter and the runtime share. */
#ifndef HEDDLE_WIRE_INLINE_H
#define HEDDLE_WIRE_INLINE_H

#include <stdint.h>

/* Of the running thread, at a fixed address while a program is checked. */
struct wire_now {
        uint64_t mark; /* accesses of memory whose shadow word is this need nothing */
        int64_t left;  /* accesses until it must be looked at, less one */
        /* Of __heddle_access: */
        uint64_t address;
        uint64_t info;
};
#define WIRE_MARK_NONE UINT64_C(0xffff)    /* no shadow word */
#define WIRE_NOW       (UINT64_C(1) << 20) /* below all programs; an instruction can name it */

/* The shadow word of an address is at its granule with these bits flipped (others for each region that is in use:
 * rt/memory/shadow.c), and that much behind it: a load waits for an earlier store that looks like one to the same address. */
#define WIRE_SHADOW_FLIP UINT64_C(0x640000000000)
#define WIRE_SHADOW_SKEW 0x800

/* The word about it: bytes, kind, and how many of the accesses that were counted are still to come.  0:
 * the thread has none left. */
#define WIRE_INLINE_SIZE  0x7fu
#define WIRE_INLINE_WRITE 0x80u
#define WIRE_INLINE_REST  8 /* shift */

/* How often an access of `size` bytes counts, unless it straddles more words. */
static inline unsigned wire_inline_words(unsigned size)
{
        return size > 8 ? 2 : 1;
}

#endif
