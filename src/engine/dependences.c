/* See dependences.h.  Where the program cannot be analysed, nothing is marked: only the story is longer. */
#include "engine/dependences.h"

#include <stdlib.h>

#include "op/op.h"

static char what(const struct wire_event *e)
{
        if (e->op == OP_RMW || e->op == OP_CAS)
                return 'u';
        return op_has(e->op, OPF_LOADS) || e->mode == WIRE_MODE_READ ? 'r' : 'w';
}

static void mark(struct program *p, struct finding *f)
{
        const struct trace *t = f->trace;

        f->irrelevant = t ? calloc((size_t)t->n_events + 1, sizeof *f->irrelevant) : NULL;
        for (uint32_t i = 0; f->irrelevant && i < t->n_events; i++)
                f->irrelevant[i] = op_object(t->events[i].op) == OP_OBJ_MEMORY &&
                                   program_irrelevant(p, &t->events[i], what(&t->events[i]));
}

void dependences_mark(struct session *s)
{
        if (!s->result->n_findings || !s->config->analyser || s->config->dependences >= STATIC_PUBLISHED ||
            program_find_irrelevant(&s->program) || !s->program.irrelevant)
                return;
        for (uint32_t i = 0; i < s->result->n_findings; i++)
                mark(&s->program, &s->result->findings[i]);
}
