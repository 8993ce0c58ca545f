/* Sets of preemption points, as a report tells of them (--strategy deepen). */
#ifndef HEDDLE_TRACE_POINT_SET_H
#define HEDDLE_TRACE_POINT_SET_H

#include <stdbool.h>
#include <stdint.h>

enum point_set_state { POINT_SET_PENDING, POINT_SET_SUSPENDED, POINT_SET_DONE, POINT_SET_FAILING, POINT_SET_CANCELLED };

/* A set of preemption points that was, or was to be, explored. */
struct point_set_result {
        enum point_set_state state;
        uint32_t classes; /* WIRE_POINT_* */
        const uint64_t *sites;
        uint32_t n_sites;
        uint64_t executions;
        double seconds;
        bool maximal;
};

const char *point_set_state_name(enum point_set_state state);

#endif
