/* What unit tests of reductions have in common: entries of a trace, and a trace of them. */
#ifndef HEDDLE_TESTS_UNIT_EVENTS_H
#define HEDDLE_TESTS_UNIT_EVENTS_H

#include <stdio.h>
#include <stdlib.h>

#include "op/op.h"
#include "trace/trace.h"

#define CHECK(c)                                                                \
        do {                                                                    \
                if (!(c)) {                                                     \
                        fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #c); \
                        exit(1);                                                \
                }                                                               \
        } while (0)

enum { X = 64, Y = 128, Z = 192, LOCK = 256 }; /* objects, a granule each */

/* The first and only entry of a transition. */
static inline struct wire_event event(uint32_t actor, uint32_t op, uint64_t obj)
{
        return (struct wire_event){.actor = (uint16_t)actor,
                                   .op = (uint8_t)op,
                                   .flags = WIRE_EV_SCHED,
                                   .obj = obj,
                                   .size = 8,
                                   .mode = (uint16_t)op_mode(op),
                                   .choice = WIRE_NO_CHOICE,
                                   .next_choice = WIRE_NO_CHOICE};
}

static inline struct trace trace_of(struct wire_event *e, uint32_t n, uint32_t threads)
{
        static struct wire_thread ended[8];

        for (uint32_t i = 0; i < 8; i++)
                ended[i].state = WIRE_T_DONE;
        return (struct trace){.events = e,
                              .n_events = n,
                              .n_transitions = n,
                              .threads = ended,
                              .n_threads = threads,
                              .end = WIRE_END_DONE,
                              .text = ""};
}

#endif
