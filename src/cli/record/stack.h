/* The call stack of a recorded failure, compared with that of one that was found. */
#ifndef HEDDLE_CLI_RECORD_STACK_H
#define HEDDLE_CLI_RECORD_STACK_H

#include "cli/list.h"
#include "record/recording.h"
#include "trace/finding.h"

struct stacks {
        struct list recorded;    /* functions of the program, innermost first; empty: not known */
        char *place;             /* where the innermost one was, "file.c:5" */
        enum finding_kind kind;  /* of the recorded failure */
        struct symbols *symbols; /* of the program under heddle; NULL: not made yet */
        uint32_t refused;        /* failures elsewhere */
};

/* Reads the functions of a recording from the program that was recorded, which must be the same build.  stacks_fini() is due. */
void stacks_init(struct stacks *s, const struct recording *r);
void stacks_fini(struct stacks *s);

/* Is a failure of the recorded kind at another place, or in another stack?  After many of them, all count as the recorded one: the
 * optimizer may have changed the stack.  `arg`: the stacks. */
bool stacks_refuse(void *arg, uint32_t kind, const struct trace *t, uint32_t failure);

/* Says whether it is the recorded stack; that it is, only if `verify`. */
void stacks_print(struct stacks *s, const struct finding *f, bool verify);

#endif
