/*
 * The access of more than one word that the running thread has announced and not completed (torn.h).
 *
 * Below the scheduler, which drops it where its thread fails; torn.c, which settles it by operations, is above.
 */
#ifndef HEDDLE_RT_MEMORY_UNSETTLED_H
#define HEDDLE_RT_MEMORY_UNSETTLED_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

#define MAX_TORN 512u /* bytes */

struct torn {
        const struct thread *t;
        uintptr_t addr, site, via;
        uint32_t size;
        uint32_t pos;  /* of the first word */
        uint32_t from; /* a write: bytes up to the end of the word that was written first */
        bool write;
        uint8_t bytes[MAX_TORN]; /* a read: what memory holds; a write: what it held */
};

#pragma GCC visibility push(hidden)

extern struct torn torn;
extern bool torn_open; /* something is to be settled; the hot path asks only this */

/* The thread is at its next operation: torn.c's, set for each run. */
extern void (*torn_settle)(struct thread *t);
/* Weak memory: the thread is at its next operation, and has a store whose value must be in memory by now.  If gcc announced that store
 * and the program has not made it, the execution ends (WIRE_END_EARLY).  torn.c's, too. */
extern void (*torn_made)(struct thread *t);
/* The thread has failed: it has no next operation. */
void torn_drop(void);

#pragma GCC visibility pop

#endif
