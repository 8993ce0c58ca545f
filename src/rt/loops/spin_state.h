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
        uint32_t n_inner; /* entries that were not preemption points since its last operation other than a yield */
};

#endif
