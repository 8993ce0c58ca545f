/* Sizes of what the two regions hold (wire.h), and the names of objects that are not memory. */
#ifndef HEDDLE_WIRE_LIMITS_H
#define HEDDLE_WIRE_LIMITS_H

#include <stdint.h>

#define WIRE_MAX_THREADS   1024u
#define WIRE_MAX_EVENTS    (1u << 20) /* entries of one trace */
#define WIRE_MAX_WORDS     65u        /* ... of one access (OP_WORD) */
#define WIRE_MAX_SLEEP     WIRE_MAX_THREADS
#define WIRE_MAX_FOOTPRINT (1u << 18)
#define WIRE_MAX_SHARED    (1u << 20)
#define WIRE_MAX_SEGMENTS  (1u << 19)
#define WIRE_MAX_CELLS     4096u
#define WIRE_MAX_MARKS     1024u
#define WIRE_MAX_RULES     64u /* of --within and --without */
#define WIRE_MAX_IGNORED   64u
#define WIRE_MAX_SITES     4096u
#define WIRE_MAX_LOCKED    16384u
#define WIRE_MAX_UNSEEN    256u
#define WIRE_MAX_TOUCHED   256u
#define WIRE_MAX_FAILURES  16u
#define WIRE_MAX_HASHES    8192u
#define WIRE_MAX_LEAKS     64u /* places of allocation */
#define WIRE_MAX_LABELS    256u
#define WIRE_MAX_MODULES   256u
#define WIRE_MAX_LATER     128u /* modules that are loaded while the program runs */
#define WIRE_MAX_STACK     48u
#define WIRE_MAX_CHANGES   63u
#define WIRE_MAX_FRAMES    (1u << 16) /* of all call stacks of one trace */
#define WIRE_MAX_LOCALS    1024u
#define WIRE_MAX_BLOCKS    1024u
#define WIRE_MAX_WATCHED   16u /* functions of --invariant, and of --final */
#define WIRE_BLOCK_STACK   5u  /* call sites of an allocation and of a free */
#define WIRE_TEXT          256u
#define WIRE_MAX_ENV       4096u
#define WIRE_MAX_ASSUMED   32u /* what leads outside: further ones are not reported */
#define WIRE_ASSUMED_TEXT  256u
#define WIRE_CPU_WORDS     16u /* of a cpu_set_t */
#define WIRE_MAX_PLUGINS   8u
#define WIRE_PATH          1024u
#define WIRE_STATE_WORDS   (1u << 23) /* records of users' operations (op/user.h) */
#define WIRE_STATE_HEADS   (1u << 14)

/* Values from low on; count 0: the range is not given. */
struct wire_values {
        int64_t low;
        uint64_t count;
};

#define WIRE_NO_CHOICE UINT32_MAX /* in next_choice: no further alternative */
/* In choices: of a signal that arrives; its thread and position follow. */
#define WIRE_CHOICE_SIGNAL UINT32_C(0x80000000)
#define WIRE_TO_END        UINT32_MAX /* in a segment: until the thread ends, fails or blocks */
#define WIRE_NO_ACTOR      UINT16_MAX

/* Objects that are not memory are named by addresses that no program can have. */
#define WIRE_OBJ_THREAD(id)     (UINT64_C(0xffff000000000000) + (uint64_t)(id)*8) /* does it run? */
#define WIRE_OBJ_HANDLE(id)     (WIRE_OBJ_THREAD(id) + WIRE_MAX_THREADS * 8)      /* is it joined, or detached? */
#define WIRE_OBJ_CANCEL(id)     (WIRE_OBJ_HANDLE(id) + WIRE_MAX_THREADS * 8)      /* is it to be cancelled? */
#define WIRE_THREAD_OF(obj)     ((uint32_t)((obj) >> 3) % WIRE_MAX_THREADS)       /* of any of these */
#define WIRE_OBJ_FUTEX(addr)    (UINT64_C(0xfff0000000000000) + (uint64_t)(addr)) /* the queue of the word at addr */
#define WIRE_MAX_CHANNELS       1024u                                             /* of one thread */
#define WIRE_OBJ_CHANNEL(id, n) /* the n-th direction of a pipe that the thread made */ \
        (UINT64_C(0xfff84f0000000000) + ((uint64_t)(id)*WIRE_MAX_CHANNELS + (n)) * 8)
#define WIRE_SIGNAL_CELL  952u                                                          /* from here on: signals */
#define WIRE_OBJ_EPOLLS   WIRE_OBJ_CHANNEL(WIRE_MAX_THREADS - 1, WIRE_MAX_CHANNELS - 1) /* of all epoll instances */
#define WIRE_OBJ_STATE(n) (UINT64_C(0x44f8000000000) + (uint64_t)(n)*8)                 /* a state of op/effect.h */
#define WIRE_OBJ_PROCESS  UINT64_C(0xfffe000000000000)
#define WIRE_OBJ_TXN      UINT64_C(0xfffc000000000000)                     /* what aborts transactions from outside */
#define WIRE_OBJ_WATCH(k) (UINT64_C(0xfffd000000000000) + (uint64_t)(k)*8) /* what invariant k can tell */
/* One round of the barrier at this address. */
#define WIRE_OBJ_ROUND(addr, round) \
        (UINT64_C(0xc000000000000000) | (uint64_t)(addr) >> 3 << 16 | (uint64_t)((round)&0x1fffu) << 3)
#define WIRE_IS_ROUND(obj)      ((obj) >> 60 == 0xc)
#define WIRE_ROUND_BARRIER(obj) (((obj) >> 16 & ((UINT64_C(1) << 44) - 1)) << 3)

#endif
