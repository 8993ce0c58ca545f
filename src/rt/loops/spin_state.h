/* What spin.c keeps in each thread.  The rest, which only spin.c reads, is in its own table. */
#ifndef HEDDLE_RT_LOOPS_SPIN_STATE_H
#define HEDDLE_RT_LOOPS_SPIN_STATE_H

#include <stdbool.h>
#include <stdint.h>

struct spin_state {
        bool solo;        /* it has accessed private memory for long: that is checked for a loop too */
        uint32_t window;  /* hook calls for which that lasts; 0: not since its last visible operation */
        bool suspected;   /* it may be in a loop: every write of it must be seen */
        bool armed;       /* the same for cut.c */
        bool follows;     /* ... for masks.c, after that, too */
        bool strayed;     /* it has accessed memory of its own, other than its stack, since its last visit there */
        uint32_t n_inner; /* entries that were not preemption points since its last operation other than a yield */
        /* Of await.c. */
        uint64_t history;      /* a hash of what it did and read so far */
        uint32_t last;         /* 1 + its last entry, 0: none */
        bool opaque;           /* that does not say all */
        uint8_t asked;         /* enum await_asked: why it has its turn */
        bool held;             /* it is blocked: its read would lead back to where it is */
        bool waited;           /* ... or was since await_pos */
        bool peeked;           /* it has accessed memory of its own since await_pos */
        uint32_t await_pos;    /* at this hook call it is about to make such a read; 0: at none */
        uintptr_t stack_end;   /* of its stack, then */
        uint32_t await_visits; /* its visits up to there */
        uint64_t await_key;    /* its local state there */
};

#endif
