/*
 * An observer reads a finished execution and tells what is wrong with it.  It sees the trace and nothing else; the loop
 * knows none of them (analysis/observers.h lists them).
 */
#ifndef HEDDLE_TRACE_OBSERVER_H
#define HEDDLE_TRACE_OBSERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/finding.h"

struct observer {
        const char *name;
        /* The k-th finding, from 0: its kind, and its index in t->failures (UINT32_MAX: it is none of the failures that
         * the target reported).  False: there are no more. */
        bool (*find)(const struct trace *t, uint32_t k, enum finding_kind *kind, uint32_t *failure);
};

#endif
