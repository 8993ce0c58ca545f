/* The filters by name. */
#include "strategy/states/filter.h"

#include <string.h>

static const struct filter_ops *const table[] = {&filter_seen, &filter_depth, &filter_local_cycle, &filter_super_step,
                                                 &filter_dpor};

const struct filter_ops *filter_find(const char *name)
{
        for (size_t i = 0; i < sizeof table / sizeof *table; i++)
                if (!strcmp(table[i]->name, name))
                        return table[i];
        return NULL;
}

const char *filter_names(void)
{
        return "seen, depth, local-cycle, super-step or dpor";
}

const char *filter_clash(const char *const *names, uint32_t n)
{
        const struct filter_ops *holder = NULL;

        for (uint32_t i = 0; i < n; i++) {
                const struct filter_ops *f = filter_find(names[i]);

                for (uint32_t k = 0; k < i; k++)
                        if (f == filter_find(names[k]))
                                return "give each once";
                if (f && f->hold && holder)
                        return "dpor and super-step each choose which threads run next; use dpor, which needs fewer "
                               "runs";
                holder = f && f->hold ? f : holder;
        }
        return NULL;
}
