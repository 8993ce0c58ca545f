/* What is known of leaks, and what follows from it. */
#include "trace/leak.h"

#include <stdlib.h>

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
