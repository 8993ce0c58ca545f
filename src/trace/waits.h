/*
 * Which thread waits for which: at the end of an execution, and at a switch in the middle of it.
 */
#ifndef HEDDLE_TRACE_WAITS_H
#define HEDDLE_TRACE_WAITS_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/trace.h"

/* The thread that `thread` waits for at the end: the holder of what it wants, the thread it joins; WIRE_NO_ACTOR when
 * it does not wait, or for no thread in particular (a condition variable, a semaphore). */
uint32_t waits_for(const struct trace *t, uint32_t thread);

/* A cycle of threads each of which waits for the next, the last for the first, lowest number first.  `cycle` has room
 * for n_threads.  Its length, 0: there is none. */
uint32_t waits_cycle(const struct trace *t, uint32_t *cycle);

/* The thread whose waiting explains why nothing continues: the first of a cycle, else the first that waits for no other
 * thread; WIRE_NO_ACTOR: none is blocked. */
uint32_t waits_culprit(const struct trace *t);

/* The number of a thread by its object (WIRE_OBJ_THREAD), or WIRE_NO_ACTOR. */
uint32_t waits_thread_of(const struct trace *t, uint64_t obj);

/* Why a thread did not continue when entry `k`, another thread's, began. */
struct wait {
        bool could_run; /* it was preempted: what follows does not matter */
        uint32_t op;    /* what it was about to do */
        uint64_t obj;
        uint32_t holder; /* the thread that held obj, or is joined; WIRE_NO_ACTOR: none in particular */
        bool signal;     /* it waited for a signal on a condition variable, named by obj if known */
};

/* `next` is the entry at or after k with the next turn of `actor` (trace_is_turn), or n_events when there is none.
 * The answer follows from the recorded states of the object; where they do not tell (no thread touched it again, a spin
 * loop) the thread counts as waiting. */
struct wait waits_at_switch(const struct trace *t, uint32_t actor, uint32_t k, uint32_t next);

#endif
