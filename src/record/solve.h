/*
 * Is there an order of the events of an execution that followed recorded paths, in which every read returns what it returned, and
 * which the recorded times allow?  The constraints (constraints.h) go to a solver, as in table 6.4 of S. Huang's thesis.
 *
 * A read may read from any write of the value that it got.  Sections of a lock may change places; operations on all other objects
 * that are not memory keep the order that they have in the execution.
 */
#ifndef HEDDLE_RECORD_SOLVE_H
#define HEDDLE_RECORD_SOLVE_H

#include "record/constraints.h"
#include "smt/solver.h"

#define SOLVE_MOST 2000000u /* constraints and terms of them */

struct solved {
        enum smt_answer answer;
        uint64_t constraints; /* that the solver was given; 0: there was no time for them */
        double seconds;       /* that it took */
        bool many;            /* more than SOLVE_MOST: not asked */
};

#define SOLVE_GRACE 1.0 /* seconds after the limit: a solver that has not given up is stopped */

/* The execution is one without store buffers.  `known`: with the paths alone, with the times, or also by chains; `bits` as in
 * constraints_count().  `seconds`: for the constraints and the solver together.  The solver runs in a process of its own.  0, or -1:
 * out of memory, or Z3 is not there. */
MUST_CHECK int record_solve(struct solved *s, const struct recording *r, const struct trace *t, const uint32_t *bits,
                            enum constraint_kind known, double seconds);

#endif
