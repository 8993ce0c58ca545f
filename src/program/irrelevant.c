/* See irrelevant.h.  Answers are kept for each site. */
#include "program/irrelevant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ptrmap.h"
#include "base/search.h"
#include "base/vec.h"
#include "binary/modules.h"

struct irrelevant {
        VEC(struct site_record) places; /* sorted */
        struct ptrmap known;            /* site and kind -> `yes` or `no` */
};

static char yes, no;

static int by_place(const void *a, const void *b)
{
        return sites_compare(a, b);
}

/* "what line column file". */
static void take_line(struct irrelevant *r, char *line)
{
        struct site_record p = {.what = line[0]};
        int at = 0;

        line[strcspn(line, "\n")] = 0;
        if (sscanf(line, "%*c %u %u %n", &p.line, &p.column, &at) != 2 || !at || !line[at])
                return;
        p.file = strdup(line + at);
        if (!p.file || !vec_reserve(&r->places, 1))
                memory_out();
        *vec_push(&r->places) = p;
}

int irrelevant_read(struct irrelevant **out, const char *command, struct error *why)
{
        static const char said[] = "heddle: ";
        FILE *f = popen(command, "re");
        struct irrelevant *r;
        char *line = NULL;
        size_t room = 0;

        if (!f)
                return error_set(why, ERROR_USAGE, "--static on: cannot start heddle static: %m");
        r = calloc(1, sizeof *r);
        if (!r)
                memory_out();
        error_set(why, ERROR_USAGE, "--static on: the program cannot be analysed");
        while (getline(&line, &room, f) > 0) {
                if (strncmp(line, said, strlen(said)) == 0)
                        error_set(why, ERROR_USAGE, "--static on: %.*s", (int)strcspn(line + strlen(said), "\n"),
                                  line + strlen(said));
                take_line(r, line);
        }
        free(line);
        if (pclose(f) != 0) {
                irrelevant_destroy(r);
                return ERROR_USAGE;
        }
        if (r->places.n)
                qsort(r->places.at, r->places.n, sizeof *r->places.at, by_place);
        *out = r;
        return 0;
}

void irrelevant_forget(struct irrelevant *r)
{
        ptrmap_fini(&r->known, NULL);
        r->known = (struct ptrmap)PTRMAP_INIT;
}

void irrelevant_destroy(struct irrelevant *r)
{
        if (!r)
                return;
        for (uint32_t i = 0; i < r->places.n; i++)
                free((char *)r->places.at[i].file);
        vec_fini(&r->places);
        ptrmap_fini(&r->known, NULL);
        free(r);
}

static bool look_up(const struct irrelevant *r, struct symbols *s, uint64_t site, char what)
{
        struct site_record key = {.what = what};
        uint32_t at;

        if (!symbols_site(s, site, &key.file, &key.line, &key.column))
                return false;
        at = SEARCH(i, r->places.n, sites_compare(&r->places.at[i], &key) < 0);
        return at < r->places.n && sites_compare(&r->places.at[at], &key) == 0;
}

bool irrelevant_is(struct irrelevant *r, struct symbols *s, uint64_t site, char what)
{
        uint64_t key = site << 8 | (unsigned char)what;
        const char *answer = ptrmap_find(&r->known, key);

        if (!answer) {
                answer = look_up(r, s, site, what) ? &yes : &no;
                if (ptrmap_insert(&r->known, key, (void *)answer))
                        memory_out();
        }
        return answer == &yes;
}
