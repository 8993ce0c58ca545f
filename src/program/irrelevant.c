/* See irrelevant.h.  Answers are kept for each site. */
#include "program/irrelevant.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ptrmap.h"
#include "base/search.h"
#include "base/vec.h"
#include "binary/modules.h"

struct place {
        struct site_record at;
        char *variable; /* only accesses to these bytes of it; NULL: all */
        uint64_t offset, length;
        uint64_t addr; /* of these bytes, 0: not known */
};

struct irrelevant {
        VEC(struct place) places; /* sorted */
        struct ptrmap known;      /* site and kind -> the first of its places, or `none` */
        bool resolved;            /* addresses of variables are known */
};

static char none;

static int by_place(const void *a, const void *b)
{
        const struct place *x = a, *y = b;

        return sites_compare(&x->at, &y->at);
}

/* "what line column file", or with a capital letter "what line column offset length variable file". */
static void take_line(struct irrelevant *r, char *line)
{
        struct place p = {.at = {.what = (char)tolower((unsigned char)line[0])}};
        bool some = line[0] != p.at.what;
        int at = 0;

        line[strcspn(line, "\n")] = 0;
        if (sscanf(line, "%*c %u %u %n", &p.at.line, &p.at.column, &at) != 2 || !at)
                return;
        line += at;
        at = 0;
        if (some &&
            (sscanf(line, "%" SCNu64 " %" SCNu64 " %ms %n", &p.offset, &p.length, &p.variable, &at) != 3 || !at))
                memory_out();
        p.at.file = strdup(line + at);
        if (!p.at.file || !vec_reserve(&r->places, 1))
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
        r->resolved = false;
}

void irrelevant_destroy(struct irrelevant *r)
{
        if (!r)
                return;
        for (uint32_t i = 0; i < r->places.n; i++) {
                free((char *)r->places.at[i].at.file);
                free(r->places.at[i].variable);
        }
        vec_fini(&r->places);
        ptrmap_fini(&r->known, NULL);
        free(r);
}

struct named {
        const char *name;
        uint64_t addr, size;
};

struct named_all {
        VEC(struct named) all; /* sorted by name */
};

static bool add_variable(void *arg, const char *name, uint64_t addr, uint64_t size)
{
        struct named_all *v = arg;

        vec_need(&v->all, 1);
        *vec_push(&v->all) = (struct named){name, addr, size};
        return true;
}

static int by_name(const void *a, const void *b)
{
        const struct named *x = a, *y = b;

        return strcmp(x->name, y->name);
}

/* Where the variables are.  Of two with one name neither is known. */
static void resolve(struct irrelevant *r, struct symbols *s)
{
        struct named_all v = {0};

        r->resolved = true;
        symbols_variables(s, add_variable, &v);
        if (v.all.n)
                qsort(v.all.at, v.all.n, sizeof *v.all.at, by_name);
        for (uint32_t i = 0; i < r->places.n; i++) {
                struct place *p = &r->places.at[i];
                uint32_t at = p->variable ? SEARCH(k, v.all.n, strcmp(v.all.at[k].name, p->variable) < 0) : v.all.n;

                p->addr = 0;
                if (at < v.all.n && !strcmp(v.all.at[at].name, p->variable) &&
                    (at + 1 == v.all.n || strcmp(v.all.at[at + 1].name, p->variable) != 0) &&
                    p->offset + p->length <= v.all.at[at].size)
                        p->addr = v.all.at[at].addr + p->offset;
        }
        vec_fini(&v.all);
}

static void *look_up(const struct irrelevant *r, struct symbols *s, const struct irrelevant_access *a)
{
        struct place key = {.at = {.what = a->what}};
        uint32_t at;

        if (!symbols_site(s, a->site, &key.at.file, &key.at.line, &key.at.column))
                return &none;
        at = SEARCH(i, r->places.n, by_place(&r->places.at[i], &key) < 0);
        return at < r->places.n && by_place(&r->places.at[at], &key) == 0 ? (void *)&r->places.at[at] : &none;
}

bool irrelevant_is(struct irrelevant *r, struct symbols *s, const struct irrelevant_access *a)
{
        uint64_t key = a->site << 8 | (unsigned char)a->what;
        void *answer = ptrmap_find(&r->known, key);
        const struct place *first, *end = r->places.at + r->places.n;

        if (!r->resolved)
                resolve(r, s);
        if (!answer) {
                answer = look_up(r, s, a);
                if (ptrmap_insert(&r->known, key, answer))
                        memory_out();
        }
        first = answer;
        for (const struct place *p = first; answer != &none && p < end && by_place(p, first) == 0; p++)
                if (!p->variable || (p->addr && a->addr >= p->addr && a->addr + a->size <= p->addr + p->length))
                        return true;
        return false;
}
