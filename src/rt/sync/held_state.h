/* The locks that a thread holds, as mutex.c and rwlock.c keep them. */
#ifndef HEDDLE_RT_SYNC_HELD_STATE_H
#define HEDDLE_RT_SYNC_HELD_STATE_H

#include <stdint.h>

struct object;

#define RT_MAX_READS 8

struct held_state {
        uint32_t n_mutexes;
        uint32_t n_sync;                    /* how often it took or released one */
        struct object *reads[RT_MAX_READS]; /* read-write locks that it holds for reading, one for each time */
        uint32_t n_reads;                   /* more than RT_MAX_READS: not known */
};

#endif
