/* See count.h. */
#include "strategy/mcr/compare/count.h"

#include <stdlib.h>

#include "strategy/mcr/learn.h"
#include "strategy/mcr/seen.h"

struct count {
        struct tries tries;
        struct learner learner;
        struct seen classes;
};

static void start(struct count *c)
{
        tries_init(&c->tries);
        seen_init(&c->classes, UINT64_MAX);
}

struct count *count_create(const struct config *config)
{
        struct count *c = calloc(1, sizeof *c);

        if (!c)
                return NULL;
        c->learner.observes = config->n_observe > 0;
        start(c);
        c->tries.spurious = config->spurious;
        for (uint32_t i = 0; i < WIRE_PRIMITIVES; i++)
                c->tries.wakeup[i] = (uint8_t)config->wakeup[i];
        return c;
}

void count_destroy(struct count *c)
{
        if (!c)
                return;
        tries_fini(&c->tries);
        learner_fini(&c->learner);
        seen_fini(&c->classes);
        free(c);
}

void count_reset(struct count *c)
{
        struct tries was = c->tries;

        seen_fini(&c->classes);
        start(c);
        c->tries.spurious = was.spurious;
        for (uint32_t i = 0; i < WIRE_PRIMITIVES; i++)
                c->tries.wakeup[i] = was.wakeup[i];
        tries_fini(&was);
}

void count_add(struct count *c, struct strategy *s, const struct trace *t)
{
        if (s->counts_values && !learner_add(&c->learner, &c->tries, t))
                s->counts_values = false;
        if (s->counts_values && t->end != WIRE_END_ASSUME && t->end != WIRE_END_CUT && t->end != WIRE_END_DEPTH)
                s->value_classes += seen_add(&c->classes, c->learner.class);
}
