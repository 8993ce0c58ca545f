/* What is known of leaks, and what follows from it. */
#include "trace/leak.h"

#include <stdlib.h>
#include <string.h>

#include "trace/finding.h"

uint64_t leak_key(const struct wire_block *b)
{
        uint64_t h = UINT64_C(0xcbf29ce484222325);

        for (uint32_t i = 0; i < b->n_allocated; i++) {
                h = (h ^ b->allocated[i]) * UINT64_C(0x9e3779b97f4a7c15);
                h ^= h >> 29;
        }
        return h;
}

uint64_t leak_executions(const struct leak *l, uint64_t least)
{
        uint64_t n = 0;

        for (uint32_t i = 0; i < l->n_amounts; i++)
                if (l->amounts[i].bytes > least)
                        n += l->amounts[i].executions;
        return n;
}

int leak_add(struct leak *l, uint64_t bytes, uint64_t executions)
{
        struct leak_amount *all;

        for (uint32_t i = 0; i < l->n_amounts; i++)
                if (l->amounts[i].bytes == bytes) {
                        l->amounts[i].executions += executions;
                        return 0;
                }
        all = realloc(l->amounts, (l->n_amounts + 1) * sizeof *all);
        if (!all)
                return -1;
        l->amounts = all;
        all[l->n_amounts++] = (struct leak_amount){bytes, executions};
        return 0;
}

static struct finding *told(struct result *r, const struct leak *l)
{
        for (uint32_t i = 0; i < r->n_findings; i++) {
                const struct finding *f = &r->findings[i];
                if (f->kind == FINDING_LEAK && leak_key(&f->trace->failures[f->failure].block) == l->key)
                        return &r->findings[i];
        }
        return NULL;
}

static void drop(struct finding *f)
{
        if (!f)
                return;
        free(f->schedule);
        free(f->trace);
        free(f);
}

int leaks_settle(struct result *r, bool all)
{
        for (uint32_t i = 0; i < r->n_leaks; i++) {
                struct leak *l = &r->leaks[i];
                struct finding *f = told(r, l), *more;

                if (!f && l->held && l->held->trace->failures[l->held->failure].status > l->least) {
                        more = realloc(r->findings, (r->n_findings + 1) * sizeof *more);
                        if (!more)
                                return -1;
                        r->findings = more;
                        f = &more[r->n_findings++];
                        *f = *l->held;
                        free(l->held);
                        l->held = NULL;
                        for (uint32_t k = 0; k < r->n_races; k++)
                                r->races[k].unsure |= r->races[k].leaky > 0;
                }
                if (f)
                        f->count = leak_executions(l, all ? 0 : l->least);
        }
        return 0;
}

uint64_t leaks_executions(const struct result *r, bool all)
{
        uint64_t most = 0;

        for (uint32_t i = 0; i < r->n_leaks; i++) {
                uint64_t n = leak_executions(&r->leaks[i], all ? 0 : r->leaks[i].least);
                most = n > most ? n : most;
        }
        return most;
}

void leaks_fini(struct result *r)
{
        for (uint32_t i = 0; i < r->n_leaks; i++) {
                free(r->leaks[i].amounts);
                drop(r->leaks[i].held);
        }
        free(r->leaks);
        r->leaks = NULL;
        r->n_leaks = 0;
        r->leaks_known = 0;
}
