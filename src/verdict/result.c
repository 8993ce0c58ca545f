/* The life of a result: what it owns, and how that is freed. */
#include "verdict/result.h"

#include <stdlib.h>
#include <string.h>

void result_drop_outcomes(struct result *r)
{
        for (uint32_t i = 0; i < r->n_outcomes; i++) {
                free(r->outcomes[i].values);
                free(r->outcomes[i].schedule);
        }
        free(r->outcomes);
        free(r->outcome_slots);
        r->outcomes = NULL;
        r->outcome_slots = NULL;
        r->n_outcomes = r->outcome_bits = 0;
}

void result_drop_printed(struct result *r)
{
        for (uint32_t i = 0; i < r->n_printed; i++) {
                free(r->printed[i].text);
                free(r->printed[i].schedule);
        }
        free(r->printed);
        r->printed = NULL;
        r->n_printed = 0;
}

void result_drop_races(struct result *r)
{
        for (uint32_t i = 0; i < r->n_races; i++)
                free(r->races[i].schedule);
        free(r->races);
        free(r->race_slots);
        r->races = NULL;
        r->race_slots = NULL;
        r->n_races = r->race_bits = 0;
}

void result_drop_leaks(struct result *r)
{
        for (uint32_t i = 0; i < r->n_leaks; i++) {
                free(r->leaks[i].amounts);
                if (r->leaks[i].held)
                        finding_fini(r->leaks[i].held);
                free(r->leaks[i].held);
        }
        free(r->leaks);
        r->leaks = NULL;
        r->n_leaks = 0;
        r->leaks_known = 0;
}

void result_add_set(struct result *r, const struct point_set_result *set)
{
        struct point_set_result *all = realloc(r->sets, (r->n_sets + 1) * sizeof *all);
        uint64_t *sites = malloc((set->n_sites + 1) * sizeof *sites);

        if (all)
                r->sets = all;
        if (!all || !sites) {
                free(sites);
                return;
        }
        if (set->n_sites)
                memcpy(sites, set->sites, set->n_sites * sizeof *sites);
        all[r->n_sets] = *set;
        all[r->n_sets++].sites = sites;
}

void result_shard_fini(struct result_shard *s)
{
        free(s->classes);
        free(s->shown);
        free(s->knowledge);
        free(s->data);
        *s = (struct result_shard){0};
}

void result_fini(struct result *r)
{
        result_shard_fini(&r->shard);
        symbols_destroy(r->names);
        for (uint32_t i = 0; i < r->n_findings; i++)
                finding_fini(&r->findings[i]);
        result_drop_outcomes(r);
        result_drop_printed(r);
        result_drop_leaks(r);
        result_drop_races(r);
        facts_fini(&r->facts);
        free(r->captured);
        free(r->findings);
        free(r->replayed);
        for (uint32_t i = 0; i < r->n_sets; i++)
                free((void *)r->sets[i].sites);
        free(r->sets);
        memset(r, 0, sizeof *r);
}
