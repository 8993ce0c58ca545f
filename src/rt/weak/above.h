/*
 * What store buffers need of modules that themselves ask the memory model: functions that those register (mm_init()), so that
 * no module includes another in a circle.
 */
#ifndef HEDDLE_RT_WEAK_ABOVE_H
#define HEDDLE_RT_WEAK_ABOVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rt/sched/arrival.h"
#include "wire/reason.h"

struct mm_reached;
struct thread;
struct wire_event;

struct mm_above {
        /* Entries of the trace (op_log(), op_also()). */
        struct wire_event *(*log)(struct thread *t, enum arrival how, uint32_t mode, uint64_t value);
        struct wire_event *(*also)(struct thread *t, enum arrival how, uint32_t op, uint64_t obj, uint32_t size,
                                   uint32_t mode, uint64_t value);
        /* A store of a buffer is about to reach memory: is the memory still there? */
        void (*flush)(struct thread *b, uintptr_t addr, size_t size);
        /* A store that is not reported has reached it: threads that wait for it in a loop read again. */
        void (*changed)(struct thread *b, uint64_t addr, uint32_t size);
        /* A store of the thread has reached it, where other threads saw `before`. */
        void (*reached)(struct thread *t, const struct mm_reached *r);
        /* The thread cannot continue, and the exploration is not complete.  Does not return. */
        void (*cut)(struct thread *t, enum reason why);
};

#pragma GCC visibility push(hidden)
extern const struct mm_above *mm_above;
#pragma GCC visibility pop

#endif
