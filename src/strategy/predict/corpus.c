/* The last so many; a schedule takes any of them up to any transition (Wolff, Shi, Duck, Mathur, Roychoudhury, ASPLOS 2024). */
#include "strategy/predict/corpus.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

#define LONGEST (UINT32_C(1) << 16) /* transitions */

void corpus_add(struct corpus *c, const struct trace *t)
{
        struct corpus_entry *e = &c->entries[c->added % CORPUS];

        if (t->n_transitions > LONGEST)
                return;
        free(e->decisions);
        e->decisions = calloc((size_t)t->n_transitions + 1, sizeof *e->decisions);
        if (!e->decisions)
                memory_out();
        e->n = 0;
        for (uint32_t i = 0; i < t->n_events && e->n < t->n_transitions; i++) {
                const struct wire_event *v = &t->events[i];

                if (v->flags & WIRE_EV_SCHED)
                        e->decisions[e->n++] =
                                (struct wire_decision){.actor = v->actor, .op = v->op, .choice = v->choice};
        }
        c->added++;
}

void corpus_begin(const struct corpus *c, uint64_t number, struct schedule *out)
{
        uint64_t kept = c->added < CORPUS ? c->added : CORPUS;
        const struct corpus_entry *e = &c->entries[kept ? hash_draw(number) % kept : 0];
        uint32_t n = e->n ? (uint32_t)(hash_draw(~number) % e->n) : 0;

        if (n)
                memcpy(out->prefix, e->decisions, n * sizeof *out->prefix);
        out->author = NULL;
        out->n_hints = n;
}

void corpus_save(const struct corpus *c, struct stream *out)
{
        stream_put_u64(out, c->added);
        for (uint32_t i = 0; i < CORPUS; i++)
                stream_put_array(out, c->entries[i].decisions, c->entries[i].n, sizeof *c->entries[i].decisions);
}

void corpus_load(struct corpus *c, struct stream *in)
{
        c->added = stream_get_u64(in);
        for (uint32_t i = 0; i < CORPUS; i++)
                c->entries[i].decisions =
                        stream_get_array(in, LONGEST, sizeof *c->entries[i].decisions, &c->entries[i].n);
}

void corpus_reset(struct corpus *c)
{
        for (uint32_t i = 0; i < CORPUS; i++)
                free(c->entries[i].decisions);
        *c = (struct corpus){0};
}
