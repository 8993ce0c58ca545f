/*
 * States are compared by the hashes that the target makes of them.  The first execution of a target begins where the
 * snapshot is taken; the others, in restored states, are measured by it.  A new target has new descriptors: it restarts
 * .
 */
#include "target/restore_check.h"

static const char *const names[WIRE_PRINTS] = {
        [WIRE_PRINT_MEMORY] = "memory",
        [WIRE_PRINT_MAPPINGS] = "the list of mappings",
        [WIRE_PRINT_KERNEL] = "what the kernel holds (descriptors, signals, working directory)",
};

int restore_check(struct restore_check *c, const struct target *t, uint64_t execution, struct error *why)
{
        const struct wire_up *up = t->up;

        if (up->n_prints == 0)
                return 0;
        if (c->start != t->starts) {
                c->start = t->starts;
                for (int i = 0; i < WIRE_PRINTS; i++)
                        c->print[i] = up->print[i];
                return 0;
        }
        for (int i = 0; i < WIRE_PRINTS; i++)
                if (up->print[i] != c->print[i])
                        return error_set(why, ERROR_FAIL,
                                         "the program was not restored exactly: %s differs before execution %llu: %.*s",
                                         names[i], (unsigned long long)execution, (int)WIRE_TEXT - 1,
                                         up->print_text[i]);
        return 0;
}
