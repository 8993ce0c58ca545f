/*
 * The lines `kind`, `message`, `which`, `minimized`, `inflection` and `race` of a trace file.  The file is not trusted:
 * numbers are checked again when the trace is there (filefinding_fits).
 */
#include "trace/trace_file_finding.h"

#include <stdlib.h>
#include <string.h>

#define MAX_RACES 65536u

static void put_text(FILE *f, const char *key, const char *text)
{
        if (!text)
                return;
        fputs(key, f);
        words_put(f, text);
        fputc('\n', f);
}

void filefinding_write(FILE *f, const struct trace_file_info *info)
{
        const struct minimized *z = &info->minimized;

        put_text(f, "kind", info->kind);
        put_text(f, "message", info->message);
        if (info->kind)
                fprintf(f, "which %x\n", info->failure);
        if (z->done)
                fprintf(f, "minimized %x %x %x %x %x %x\n", z->fewest, z->switches, z->steps, z->was_preemptions,
                        z->was_switches, z->was_steps);
        if (z->done && z->inflection_known)
                fprintf(f, "inflection %x\n", z->inflection);
        for (uint32_t i = 0; i < info->n_races && i < MAX_RACES; i++)
                fprintf(f, "race %x %x\n", info->races[i].early, info->races[i].late);
}

static int get_text(struct words *w, char **out)
{
        const char *s = words_text(w);

        if (!s)
                return -1;
        if (*out)
                return words_fail(w, "a line that may occur only once");
        *out = strdup(s);
        return *out ? 1 : words_fail(w, "out of memory");
}

static int get_minimized(struct words *w, struct minimized *z)
{
        uint64_t fewest;

        if (words_number(w, 1, &fewest) || words_u32(w, &z->switches) || words_u32(w, &z->steps) ||
            words_u32(w, &z->was_preemptions) || words_u32(w, &z->was_switches) || words_u32(w, &z->was_steps))
                return -1;
        z->fewest = fewest;
        z->tried = z->done = true;
        return 1;
}

static int get_race(struct words *w, struct trace_file_info *info)
{
        struct finding_race r, *all;

        if (words_u32(w, &r.early) || words_u32(w, &r.late))
                return -1;
        if (info->n_races == MAX_RACES)
                return words_fail(w, "too many races");
        all = realloc(info->races, (info->n_races + 1) * sizeof *all);
        if (!all)
                return words_fail(w, "out of memory");
        info->races = all;
        all[info->n_races++] = r;
        return 1;
}

int filefinding_read(struct words *w, const char *key, struct trace_file_info *info)
{
        if (strcmp(key, "kind") == 0)
                return get_text(w, &info->kind);
        if (strcmp(key, "message") == 0)
                return get_text(w, &info->message);
        if (strcmp(key, "which") == 0)
                return words_u32(w, &info->failure) ? -1 : 1;
        if (strcmp(key, "minimized") == 0)
                return get_minimized(w, &info->minimized);
        if (strcmp(key, "inflection") == 0) {
                info->minimized.inflection_known = true;
                return words_u32(w, &info->minimized.inflection) ? -1 : 1;
        }
        return strcmp(key, "race") == 0 ? get_race(w, info) : 0;
}

bool filefinding_fits(const struct trace_file_info *info, const struct trace *t)
{
        for (uint32_t i = 0; i < info->n_races; i++)
                if (info->races[i].early == info->races[i].late || info->races[i].early >= t->n_events ||
                    info->races[i].late >= t->n_events)
                        return false;
        return info->minimized.inflection <= t->n_events &&
               (info->failure == UINT32_MAX || info->failure < t->n_failures);
}
