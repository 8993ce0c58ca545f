/*
 * Outputs are distinguished by a hash of all their bytes and the exit status; the first PRINTED_TEXT are kept.  An execution
 * that did not come to its end has not printed all it would, and does not count.
 */
#include "verdict/printed.h"

#include <stdlib.h>
#include <string.h>

#include "base/stream.h"

static struct printed *find(const struct result *r, uint64_t hash)
{
        for (uint32_t i = 0; i < r->n_printed; i++)
                if (r->printed[i].hash == hash)
                        return &r->printed[i];
        return NULL;
}

static struct printed *add(struct result *r, const struct program *p, const struct trace *t, const char *text, size_t n)
{
        struct printed *all = realloc(r->printed, (r->n_printed + 1) * sizeof *all), *o;

        if (!all)
                return NULL;
        r->printed = all;
        o = &all[r->n_printed];
        *o = (struct printed){.status = t->exit_status, .text = strndup(text, n)};
        o->schedule = program_text(p, t, t->n_events, WIRE_NO_ACTOR, false);
        if (!o->text || !o->schedule) {
                free(o->text);
                free(o->schedule);
                return NULL;
        }
        r->n_printed++;
        return o;
}

int printed_merge(struct result *r, struct printed *o)
{
        struct printed *known = find(r, o->hash), *all;

        if (known || r->n_printed == PRINTED_MAX) {
                if (known)
                        known->executions += o->executions;
                free(o->text);
                free(o->schedule);
                return 0;
        }
        all = realloc(r->printed, (r->n_printed + 1) * sizeof *all);
        if (!all || !o->text || !o->schedule) {
                r->printed = all ? all : r->printed;
                free(o->text);
                free(o->schedule);
                return -1;
        }
        r->printed = all;
        all[r->n_printed++] = *o;
        return 0;
}

int printed_note(struct result *r, struct program *p, const struct trace *t)
{
        char text[PRINTED_TEXT];
        struct printed *o;
        uint64_t hash = (uint64_t)(uint32_t)t->exit_status, n;

        if (t->end != WIRE_END_DONE || t->n_failures || p->config->outputs == OUTPUTS_OFF)
                return RUN_OK;
        n = printed_output(&p->target.printed, &hash, text, sizeof text);
        o = find(r, hash);
        if (!o && r->n_printed < PRINTED_MAX) {
                o = add(r, p, t, text, n < sizeof text ? n : sizeof text);
                if (!o)
                        return error_memory(p->why);
                o->hash = hash;
                o->bytes = n;
        }
        if (o)
                o->executions++;
        r->printed_all = p->config->outputs == OUTPUTS_ON;
        return RUN_OK;
}
