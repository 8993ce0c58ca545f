/*
 * --count-classes: how many of the executions that were run are different Mazurkiewicz traces.
 *
 * It judges by finished traces alone and knows nothing of what a strategy thinks of them.
 */
#ifndef HEDDLE_HB_CLASSES_H
#define HEDDLE_HB_CLASSES_H

#include <stdbool.h>

#include "base/ptrmap.h"
#include "hb/causality.h"
#include "trace/trace.h"

struct classes {
        struct causality causality;
        struct ptrmap seen;   /* hashes of classes */
        VEC(uint64_t) hashes; /* scratch: of the transitions of a trace */
        bool ready;
};

/* One more execution.  1: it is of a new class, 0: it is not, -1: out of memory. */
int classes_add(struct classes *c, const struct trace *t);

/* The hash of the class of an execution, which is not remembered.  false: out of memory. */
bool classes_hash(struct classes *c, const struct trace *t, uint64_t *hash);

/* Forgets all. */
void classes_fini(struct classes *c);

#endif
