/* The filters by name. */
#include "explore/filter/filter.h"

#include <string.h>

static const struct filter_ops *const table[] = {&filter_seen, &filter_depth, &filter_local_cycle, &filter_super_step};

const struct filter_ops *filter_find(const char *name)
{
        for (size_t i = 0; i < sizeof table / sizeof *table; i++)
                if (!strcmp(table[i]->name, name))
                        return table[i];
        return NULL;
}

const char *filter_names(void)
{
        return "seen, depth, local-cycle or super-step";
}
