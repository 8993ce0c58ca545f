/* Which search fits which kind of failure. */
#include "report/cause/cause.h"

#include <string.h>

#include "op/op.h"

const char *cause_name(enum cause_pattern pattern)
{
        static const char *const names[] = {
#define PATTERN(name, text) [CAUSE_##name] = text,
#include "report/cause/pattern.def"
        };

        return (uint32_t)pattern < CAUSE_PATTERNS && names[pattern][0] ? names[pattern] : NULL;
}

void cause_add(struct cause *c, uint32_t i)
{
        uint32_t k = c->n_steps;

        for (uint32_t n = 0; n < c->n_steps; n++)
                if (c->steps[n] == i)
                        return;
        if (c->n_steps == CAUSE_MAX_STEPS)
                return;
        for (; k > 0 && c->steps[k - 1] > i; k--)
                c->steps[k] = c->steps[k - 1];
        c->steps[k] = i;
        c->n_steps++;
}

static void begin(struct cause *c)
{
        *c = (struct cause){.check = VIEW_NONE,
                            .foreign = VIEW_NONE,
                            .act = VIEW_NONE,
                            .thread = WIRE_NO_ACTOR,
                            .other = WIRE_NO_ACTOR};
}

static bool find_race(struct view *v, struct cause *c)
{
        const struct wire_failure *f = &v->t->failures[v->f->failure];

        c->pattern = CAUSE_RACE;
        c->object = f->addr;
        c->object_op = OP_READ;
        return true;
}

void cause_find(struct view *v, struct cause *c)
{
        bool known;

        begin(c);
        switch (v->f->kind) {
        case FINDING_DEADLOCK:
        case FINDING_LIVELOCK: known = v->f->failure >= v->t->n_failures && cause_waits(v, c); break;
        case FINDING_USE_AFTER_FREE:
        case FINDING_DOUBLE_FREE:
        case FINDING_LEAK: known = v->f->failure < v->t->n_failures && cause_blocks(v, c); break;
        case FINDING_RACE: known = find_race(v, c); break;
        default: known = v->f->failure < v->t->n_failures && cause_values(v, c);
        }
        if (!known)
                begin(c);
}
