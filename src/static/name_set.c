/* See name_set.h. */
#include "static/name_set.h"

#include <stdlib.h>
#include <string.h>

#include "base/search.h"

void name_set_add(struct name_set *names, const char *name)
{
        vec_need(&names->all, 1);
        *vec_push(&names->all) = strdup(name);
        if (!names->all.at[names->all.n - 1])
                memory_out();
}

static int by_name(const void *a, const void *b)
{
        return strcmp(*(char *const *)a, *(char *const *)b);
}

void name_set_sort(struct name_set *names)
{
        if (names->all.n)
                qsort(names->all.at, names->all.n, sizeof *names->all.at, by_name);
}

static int compare(const char *name, const char *other, size_t length)
{
        int order = strncmp(name, other, length);

        return order ? order : name[length] != '\0';
}

uint32_t name_set_count(const struct name_set *names, const char *name, size_t length)
{
        uint32_t at = SEARCH(i, names->all.n, compare(names->all.at[i], name, length) < 0), n = 0;

        while (at + n < names->all.n && compare(names->all.at[at + n], name, length) == 0)
                n++;
        return n;
}

void name_set_fini(struct name_set *names)
{
        for (uint32_t i = 0; i < names->all.n; i++)
                free(names->all.at[i]);
        vec_fini(&names->all);
}
