/* What instrumented code does by itself: the part of its layout that the instrumenter and the runtime share. */
#ifndef HEDDLE_WIRE_INLINE_H
#define HEDDLE_WIRE_INLINE_H

#include <stdint.h>

struct wire_call {      /* of a function that is under way */
        uint64_t site;  /* returns here */
        uint64_t frame; /* its frame pointer, if it has one */
        uint64_t begun; /* where it was announced, if the runtime was called for that */
};

/* Of the running thread, at a fixed address while a program is checked. */
struct wire_now {
        uint64_t mark; /* accesses of memory whose shadow word is this need nothing */
        int64_t left;  /* accesses until it must be looked at, less one */
        /* Of __heddle_access: */
        uint64_t address;
        uint64_t info;
        /* The shadow call stack: functions under way, how many of them instrumented code notes by itself, and where. */
        uint64_t n_calls;
        uint64_t most_calls;
        struct wire_call *calls;
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
/* Sizes that do not mean an access: a function begins, and `address` is where it returns to; it ends. */
#define WIRE_INLINE_ENTER 0x7eu
#define WIRE_INLINE_LEAVE 0x7du

/* How often an access of `size` bytes counts, unless it straddles more words. */
static inline unsigned wire_inline_words(unsigned size)
{
        return size > 8 ? 2 : 1;
}

#endif
