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
        /* Of __heddle_access (__heddle_access_at has registers instead): */
        uint64_t address;
        uint64_t info;
        /* The shadow call stack: functions under way, how many of them instrumented code notes by itself, and where. */
        uint64_t n_calls;
        uint64_t most_calls;
        struct wire_call *calls;
        uint64_t flip; /* WIRE_SHADOW_FLIP */
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

/*
 * __heddle_access_at is called from between two instructions, and keeps all registers.  What it is about is in an instruction that does
 * nothing, where it returns to: nopl WORD(BASE,INDEX), with a prefix.  BASE has the address, or its shadow word less WIRE_SHADOW_SKEW
 * and a distance.  INDEX is r10 where that has what would be `left`, else r11.  Where an access is compared, r11 becomes `mark`.  The word:
 */
#define WIRE_AT_KIND   7u    /* of an access: the logarithm of its size.  Else: */
#define WIRE_AT_LEAVE  5u    /* as WIRE_INLINE_LEAVE */
#define WIRE_AT_LOOK   6u    /* none is left */
#define WIRE_AT_ENTER  7u    /* as WIRE_INLINE_ENTER; r10 becomes what to overwrite, and r11 their number */
#define WIRE_AT_WRITE  8u    /* it is a store */
#define WIRE_AT_SHADOW 0x10u /* BASE has a shadow word */
#define WIRE_AT_BEHIND 5     /* shift: how far the access is behind that, */
#define WIRE_AT_NEAR   0x800 /* which is less than this, more than this; */
#define WIRE_AT_REST   17    /* shift: as WIRE_INLINE_REST */
#define WIRE_AT_MOST   0x1fffu
#define WIRE_AT_FAR    0x40000000u /* always set, so that the word takes 4 bytes */

/* How often an access of `size` bytes counts, unless it straddles more words. */
static inline unsigned wire_inline_words(unsigned size)
{
        return size > 8 ? 2 : 1;
}

#endif
