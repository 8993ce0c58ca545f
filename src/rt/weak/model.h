/*
 * A memory model with store buffers: which buffer takes a store, and which stores may leave.  A model is a table of this kind in
 * a file of its own, and a row in mm.c.
 */
#ifndef HEDDLE_RT_WEAK_MODEL_H
#define HEDDLE_RT_WEAK_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/reason.h"

struct store_buffer;
struct thread;

struct mm_model {
        bool in_order;       /* the stores of a thread reach memory in program order, whatever they are */
        bool release_orders; /* a release store or fence keeps later stores behind earlier ones */
        enum reason full;    /* why a run is incomplete in which a store could not be delayed */

        /* A run begins.  May be NULL. */
        void (*init_run)(void);
        /* How many buffers there are, and which of them, from 0 on, takes a store of this thread to this address. */
        uint32_t (*n_buffers)(void);
        uint32_t (*buffer_of)(const struct thread *t, uint64_t addr);
        /* NULL: there is a buffer for every store.  Else: is there one for this address; can there never be one? */
        bool (*has_buffer)(const struct thread *t, uint64_t addr);
        bool (*none_left)(const struct thread *t, uint64_t addr);
};

#pragma GCC visibility push(hidden)
extern const struct mm_model *mm_model;
extern const struct mm_model mm_tso, mm_pso;
#pragma GCC visibility pop

#endif
