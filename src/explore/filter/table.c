/* The filters by name. */
#include "explore/filter/filter.h"

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

static const struct filter_ops *first_with_nodes(const char *const *names, uint32_t n)
{
        const struct filter_ops *f;

        for (uint32_t i = 0; i < n; i++)
                if ((f = filter_find(names[i])) && f->hold)
                        return f;
        return NULL;
}

const char *filter_clash(const char *const *names, uint32_t n)
{
        const struct filter_ops *one = first_with_nodes(names, n);

        for (uint32_t i = 0; i < n; i++) {
                const struct filter_ops *other = filter_find(names[i]);
                if (other && other->hold && other != one)
                        return "dpor and super-step each decide who goes on from a state; use dpor, which needs fewer "
                               "runs";
        }
        return NULL;
}
