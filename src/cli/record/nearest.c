/* A failure of the same kind at the same source location comes first, then those of the same kind, then all others. */
#include "cli/record/nearest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/explore.h"
#include "cli/list.h"
#include "report/wording.h"

#define MOST 3u /* that are printed */

enum nearness { OTHER, SAME_KIND, SAME_PLACE };

static bool same_kind(const struct recording *r, enum finding_kind kind)
{
        if (r->failure == REC_HANG)
                return kind == FINDING_DEADLOCK || kind == FINDING_LIVELOCK || kind == FINDING_INFINITE_LOOP;
        return strcmp(finding_kind_name(kind), recording_kind(r)) == 0;
}

static const char *name_of(const char *path)
{
        const char *slash = path ? strrchr(path, '/') : NULL;

        return slash ? slash + 1 : path;
}

static struct symbols_frame place_of(struct symbols *s, const struct finding *f)
{
        uint64_t sites[WIRE_MAX_STACK + 1];

        return phrase_where(s, sites, finding_stack(f->kind, f->trace, f->failure, sites));
}

static enum nearness nearness(const struct recording *r, struct symbols *s, const struct finding *f)
{
        struct symbols_frame at = place_of(s, f);

        if (!same_kind(r, f->kind))
                return OTHER;
        return r->failure == REC_ASSERTION && r->file && at.file && at.line == r->line &&
                               strcmp(name_of(at.file), name_of(r->file)) == 0
                       ? SAME_PLACE
                       : SAME_KIND;
}

/* The line that replays it: it is not along the recording. */
static const char *line_of(const struct command *c)
{
        struct list words = {0};

        for (size_t i = 0; i < c->tail.n; i++)
                if (i >= c->n_options || strncmp(c->tail.words[i], "--recording=", strlen("--recording=")) != 0)
                        list_add(&words, c->tail.words[i]);
        return list_quote(&words);
}

static void print(const struct command *c, struct symbols *s, const struct finding *f, enum nearness near)
{
        char *message = finding_message(f->kind, f->trace, f->failure, s);
        struct symbols_frame at = place_of(s, f);

        printf("  %s", message ? message : finding_kind_name(f->kind));
        if (at.file)
                printf(" at %s:%u", name_of(at.file), at.line);
        printf("%s\n    heddle replay '%s' %s%s\n", near == SAME_PLACE ? " (where it was recorded)" : "", f->schedule,
               phrase_replay_option(f), line_of(c));
        free(message);
}

static void print_all(const struct command *c, const struct recording *r, const struct result *found)
{
        struct symbols *own, *s = phrase_symbols(found, NULL, &own);
        uint32_t printed = 0;

        if (!s)
                return;
        printf("Nearest failures, along other paths:\n");
        for (int near = SAME_PLACE; near >= OTHER; near--)
                for (uint32_t i = 0; i < found->n_findings && printed < MOST; i++) {
                        finding_focus(&found->findings[i], s);
                        if (nearness(r, s, &found->findings[i]) != (enum nearness)near)
                                continue;
                        print(c, s, &found->findings[i], near);
                        printed++;
                }
        if (found->n_findings > printed)
                printf("  and %u more\n", found->n_findings - printed);
        symbols_destroy(own);
}

void nearest_print(const struct command *c, const struct recording *r, double seconds)
{
        struct config config = c->options.config;
        struct result found = {0};
        struct error why = {""};

        config.paths = NULL;
        config.refuses = NULL;
        config.keep_going = true;
        config.seconds = seconds;
        config.memory = WIRE_MEMORY_SC;
        if (explore_program(&config, &found, &why, NULL, NULL) == 0) {
                if (found.n_findings)
                        print_all(c, r, &found);
                else
                        printf("No other failure was found in %llu executions.\n",
                               (unsigned long long)stats_runs(&found.stats));
        }
        result_fini(&found);
}
