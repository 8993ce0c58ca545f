/*
 * See stack.h.  Frames of the program itself are compared by the names of their functions, those that were inlined included.  The recorded
 * body is optimised more than the one that heddle runs: its stack may lack functions that end by a call.
 */
#include "cli/record/stack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "binary/symbols.h"

#define MOST_REFUSED 200u

static const char *name_of(const char *path)
{
        const char *slash = strrchr(path, '/');

        return slash ? slash + 1 : path;
}

/* The functions of a stack, and the place of the first one. */
static struct list functions(struct symbols *s, const uint64_t *sites, uint32_t n, char **place)
{
        struct list names = {0};

        *place = NULL;
        for (uint32_t i = 0; i < n; i++) {
                const struct symbols_frame *frames;
                uint32_t k = symbols_frames(s, sites[i], &frames);

                for (uint32_t j = 0; j < k; j++) {
                        const struct symbols_frame *f = &frames[j];
                        if (!f->line || !f->file || f->runtime || strncmp(f->file, "/usr/", 5) == 0)
                                continue;
                        if (!*place)
                                *place = list_format("%s:%u", name_of(f->file), f->line);
                        list_add(&names, list_format("%.*s", (int)strcspn(f->function, "."), f->function));
                }
        }
        return names;
}

static enum finding_kind kind_of(const struct recording *r)
{
        for (int k = 0; k < FINDING_KINDS; k++)
                if (strcmp(finding_kind_name((enum finding_kind)k), recording_kind(r)) == 0)
                        return (enum finding_kind)k;
        return FINDING_KINDS;
}

void stacks_init(struct stacks *s, const struct recording *r)
{
        struct wire_module program = {0};
        uint64_t sites[REC_MAX_STACK];
        struct symbols *symbols;
        bool at = r->failure == REC_CRASH ||
                  r->failure == REC_ABORT; /* the first address is of an instruction, not behind a call */

        *s = (struct stacks){.kind = kind_of(r)};
        if (!r->n_stack || !r->n_modules || r->failure == REC_HANG || r->failure == REC_DUMP)
                return;
        program.base = r->modules[0].base;
        snprintf(program.path, sizeof program.path, "%.*s", (int)sizeof program.path - 1, r->modules[0].path);
        symbols = symbols_create(&program, 1);
        if (!symbols)
                return;
        memcpy(sites, r->stack, r->n_stack * sizeof *sites);
        sites[0] += at;
        s->recorded = functions(symbols, sites, r->n_stack, &s->place);
        symbols_destroy(symbols);
}

void stacks_fini(struct stacks *s)
{
        if (s->symbols)
                symbols_destroy(s->symbols);
        s->symbols = NULL;
}

static struct list found(struct stacks *s, enum finding_kind kind, const struct trace *t, uint32_t failure,
                         char **place)
{
        uint64_t sites[WIRE_MAX_STACK + 1];
        uint32_t n = finding_stack(kind, t, failure, sites);

        *place = NULL;
        if (!s->symbols)
                s->symbols = symbols_create(t->modules, t->n_modules);
        return s->symbols ? functions(s->symbols, sites, n, place) : (struct list){0};
}

/* The same place, and all recorded functions, in their order, among those of the failure that was found. */
static bool is_recorded(const struct stacks *s, const struct list *other, const char *place)
{
        size_t k = 0;

        for (size_t i = 0; i < other->n && k < s->recorded.n; i++)
                k += strcmp(other->words[i], s->recorded.words[k]) == 0;
        return k == s->recorded.n && strcmp(place, s->place) == 0;
}

/* Can they be compared at all? */
static bool comparable(const struct stacks *s, enum finding_kind kind, const char *place)
{
        return s->recorded.n && s->place && kind == s->kind && place;
}

bool stacks_refuse(void *arg, uint32_t kind, const struct trace *t, uint32_t failure)
{
        struct stacks *s = arg;
        struct list other;
        char *place;

        if (!s->recorded.n || kind != s->kind || s->refused == MOST_REFUSED)
                return false;
        other = found(s, s->kind, t, failure, &place);
        if (!comparable(s, (enum finding_kind)kind, place) || is_recorded(s, &other, place))
                return false;
        s->refused++;
        return true;
}

static void print(const char *place, const struct list *names)
{
        printf("%s (", place);
        for (size_t i = 0; i < names->n; i++)
                printf("%s%s", i ? " < " : "", names->words[i]);
        putchar(')');
}

void stacks_print(struct stacks *s, const struct finding *f, bool verify)
{
        char *place;
        struct list other;
        bool same;

        if (!s->recorded.n)
                return;
        other = found(s, f->kind, f->trace, f->failure, &place);
        if (!comparable(s, f->kind, place))
                return;
        same = is_recorded(s, &other, place);
        if (same && !verify)
                return;
        printf(same ? "Stack: as recorded, " : "Stack: not the recorded one, which is ");
        print(s->place, &s->recorded);
        if (!same) {
                printf("; here ");
                print(place, &other);
        }
        putchar('\n');
}
