/* What weak.c keeps of each thread, and of each store buffer, which is an actor like a thread. */
#ifndef HEDDLE_RT_WEAK_WEAK_STATE_H
#define HEDDLE_RT_WEAK_WEAK_STATE_H

#include <stdbool.h>
#include <stdint.h>

struct wire_event;

struct weak_state {
        uint32_t buffered;        /* stores in its buffer; of a buffer: that it is to flush */
        int order;                /* memory order of the atomic store or fence that it is at; under weak memory only */
        bool open;                /* its last stores have values that are not known yet */
        bool undrained;           /* it has stored since the last operation that waited for its buffer */
        bool drains;              /* its pending operation waits until its buffer is empty */
        struct wire_event *begun; /* of the transition that the store it is at has begun, else NULL */
};

/* Have all stores of the thread reached memory? */
static inline bool mm_is_drained(const struct weak_state *w)
{
        return !w->buffered;
}

#endif
