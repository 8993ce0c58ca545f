/*
 * The report as JUnit XML, for build servers: one test case for the program when nothing failed, one for each failure
 * otherwise.  An exploration that was stopped without a failure is neither passed nor failed: `skipped`.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/shown.h"
#include "report/wording.h"
#include "report/race_list.h"
#include "report/report.h"
#include "report/explanation.h"
#include "report/timeline.h"
#include "report/style.h"
#include "report/table.h"

/* Text in XML 1.0: what is markup is escaped, what may not occur is omitted or a question mark. */
static void put_text(FILE *f, const char *s)
{
        while (s && *s) {
                int n = shown_utf8(s);
                switch (*s) {
                case '&': fputs("&amp;", f); break;
                case '<': fputs("&lt;", f); break;
                case '>': fputs("&gt;", f); break;
                case '"': fputs("&quot;", f); break;
                case '\n': fputc('\n', f); break;
                case '\t': fputc(' ', f); break;
                default:
                        if (n == 0 || (n == 3 && (!memcmp(s, "\xef\xbf\xbe", 3) || !memcmp(s, "\xef\xbf\xbf", 3))))
                                fputc('?', f);
                        else
                                shown_put(f, s, (uint32_t)n);
                }
                s += n ? n : 1;
        }
}

/* A paragraph of the failure; frees it. */
static void put_words(FILE *f, char *words)
{
        put_text(f, words);
        fputs(words ? "\n" : "", f);
        free(words);
}

static void put_repair(FILE *f, char *words)
{
        fputs(words ? "repair: " : "", f);
        put_words(f, words);
}

static void put_case(FILE *f, const struct report_info *info, const char *name, double seconds)
{
        fputs("    <testcase classname=\"heddle\" name=\"", f);
        put_text(f, info->program ? info->program : "program");
        if (name) {
                fputs(": ", f);
                put_text(f, name);
        }
        fprintf(f, "\" time=\"%.3f\"", seconds);
}

/* The schedule as the terminal shows it, in plain characters. */
static void put_schedule(FILE *f, struct symbols *s, const struct finding *fd)
{
        struct style style = {.width = 100};
        struct stretches all;
        char *text = NULL;
        size_t size;

        style.f = open_memstream(&text, &size);
        if (!style.f)
                return;
        stretches_init(&all, s, fd, false);
        table_put(&style, s, fd->trace, &all, false);
        stretches_fini(&all);
        fclose(style.f);
        put_text(f, text);
        free(text);
}

static void put_failure(FILE *f, struct symbols *s, const struct report_info *info, const struct finding *fd,
                        double seconds)
{
        char *message = finding_message(fd->kind, fd->trace, fd->failure, s);

        put_case(f, info, finding_kind_name(fd->kind), seconds);
        fprintf(f, ">\n      <failure type=\"%s\" message=\"", finding_kind_name(fd->kind));
        put_text(f, message);
        fputs("\">", f);
        fputc('\n', f);
        put_words(f, story_tell(s, fd));
        put_repair(f, story_repair(s, fd));
        put_words(f, story_inflection(s, fd));
        put_words(f, story_minimized(fd));
        put_schedule(f, s, fd);
        fputs("Replay: heddle replay '", f);
        put_text(f, fd->schedule);
        fprintf(f, "' %s", phrase_replay_option(fd));
        put_text(f, info->replay_hint);
        fputs("</failure>\n    </testcase>\n", f);
        free(message);
}

/* Races that are not failures. */
static void put_races(FILE *f, struct symbols *s, const struct result *r)
{
        struct racelist_entry *all = r->n_races ? malloc(r->n_races * sizeof *all) : NULL;
        uint32_t n = all ? racelist_gather(s, r, all) : 0;

        for (uint32_t i = 0; i < n; i++) {
                const struct racelist_entry *e = &all[i];
                bool back = e->race->first == RACE_BACKWARD;

                fputc('\n', f);
                char *text = racelist_sentence(s, e);
                put_text(f, text);
                free(text);
                for (int k = 0; k < 2; k++) {
                        fputs(k ? ", " : "; at ", f);
                        put_text(f, e->file[back ^ k]);
                        fprintf(f, ":%u", e->line[back ^ k]);
                }
        }
        free(all);
}

int report_junit(FILE *f, const struct report_info *info, const struct result *r)
{
        struct symbols *own, *s = phrase_symbols(r, NULL, &own);
        bool skipped = !r->n_findings && !r->stats.complete;
        uint32_t tests = r->n_findings ? r->n_findings : 1;
        char why[REASONS_LINE];

        if (!s)
                return -1;
        fprintf(f,
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
                "  <testsuite name=\"heddle\" tests=\"%u\" failures=\"%u\" errors=\"0\" skipped=\"%d\" "
                "time=\"%.3f\">\n",
                tests, r->n_findings, skipped, r->stats.seconds);
        for (uint32_t i = 0; i < r->n_findings; i++) {
                finding_focus(&r->findings[i], s);
                put_failure(f, s, info, &r->findings[i], r->stats.seconds / tests);
        }
        if (skipped) {
                put_case(f, info, NULL, r->stats.seconds);
                fputs(">\n      <skipped message=\"not everything was explored: ", f);
                put_text(f, reasons_line(&r->stats.reasons, why));
                fputs("\"/>\n    </testcase>\n", f);
        } else if (!r->n_findings) {
                put_case(f, info, NULL, r->stats.seconds);
                fputs("/>\n", f);
        }
        fprintf(f, "    <system-out>%" PRIu64 " executions (%" PRIu64 " of them probes), %s", stats_runs(&r->stats),
                r->stats.probes, r->stats.complete ? "every behaviour explored" : "not everything explored");
        put_races(f, s, r);
        fputs("</system-out>\n  </testsuite>\n</testsuites>\n", f);
        symbols_destroy(own);
        return fflush(f) || ferror(f) ? -1 : 0;
}
