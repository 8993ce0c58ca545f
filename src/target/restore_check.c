/*
 * States are compared by the hashes that the target makes of them.  The first execution of a target begins where the
 * snapshot is taken; the others, in restored states, are measured by it.  A new target has new descriptors: it begins
 * anew.
 */
#include "target/restore_check.h"

#include <stdio.h>

static const char *const names[WIRE_PRINTS] = {
        [WIRE_PRINT_MEMORY] = "memory",
        [WIRE_PRINT_MAPPINGS] = "the list of mappings",
        [WIRE_PRINT_KERNEL] = "what the kernel holds (descriptors, signals, working directory)",
};

int fidelity_check(struct session *s)
{
        const struct wire_up *up = s->target.up;

        if (up->n_prints == 0)
                return SESSION_OK;
        if (s->print_target != s->target.starts) {
                s->print_target = s->target.starts;
                for (int i = 0; i < WIRE_PRINTS; i++)
                        s->print[i] = up->print[i];
                return SESSION_OK;
        }
        for (int i = 0; i < WIRE_PRINTS; i++) {
                if (up->print[i] == s->print[i])
                        continue;
                snprintf(s->why, 512, "the program was not restored exactly: %s differs before execution %llu: %.*s",
                         names[i], (unsigned long long)s->result->stats.executions + 1, (int)WIRE_TEXT - 1,
                         up->print_text[i]);
                return SESSION_FAIL;
        }
        return SESSION_OK;
}
