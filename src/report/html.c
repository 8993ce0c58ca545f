/*
 * The report as one self-contained HTML page: a fixed page (page.html: style and script) with the result as JSON in it.
 *
 * Everything that occurs often (operations, objects, places, values) is once in a table and is named by its number,
 * so that a trace of many thousand entries stays small.  The page draws; all that needs symbols or the op model is said
 * here.  In the JSON, `<` is written as an escape: nothing in it can end the script element that holds it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "op/op.h"
#include "report/wording.h"
#include "report/race_list.h"
#include "report/report.h"
#include "report/html_data.h"

/* The page; the data replace DATA_MARK. */
__asm__(".section .rodata\n"
        "heddle_page: .incbin \"report/page.html\"\n"
        "heddle_page_end: .byte 0\n"
        ".previous\n");
extern const char heddle_page[], heddle_page_end[];

#define MAX_RACES 200
#define DATA_MARK "/*DATA*/"

static void put_head(FILE *f, const struct report_info *info, const struct result *r, struct symbols *s)
{
        const struct stats *st = &r->stats;
        char why[REASONS_LINE], line[160], share[64];

        fputs("{\"heddle\":", f);
        json_string(f, info->version);
        fputs(",\"program\":", f);
        json_string(f, info->program);
        fprintf(f, ",\"verdict\":\"%s\",\"complete\":%s,\"why\":", phrase_verdict(r), json_bool(st->complete));
        json_string(f, st->complete ? NULL : reasons_line(&st->reasons, why));
        phrase_percent(share, sizeof share, st);
        fputs(",\"headline\":", f);
        json_string(f, phrase_headline(line, sizeof line, r, racelist_count(s, r)));
        fputs(",\"strategy\":", f);
        json_string(f, info->strategy);
        fputs(",\"memory\":", f);
        json_string(f, info->memory);
        fputs(",\"preempt\":", f);
        json_string(f, info->preempt);
        fprintf(f,
                ",\"executions\":%" PRIu64 ",\"blocked\":%" PRIu64 ",\"probes\":%" PRIu64 ",\"threads\":%u,\"share\":",
                st->executions, st->blocked, st->probes, st->threads);
        json_string(f, share);
        fputs(",\"seconds\":", f);
        json_double(f, st->seconds);
        char *scope = r->n_findings ? NULL : text_scope(info, r, s);
        fputs(",\"scope\":", f);
        json_string(f, scope);
        free(scope);
}

static void put_outcomes(FILE *f, struct symbols *s, const struct result *r)
{
        char buf[160];

        fputs(",\"observed\":[", f);
        for (uint32_t i = 0; i < r->facts.n_observed; i++) {
                fputs(i ? "," : "", f);
                json_string(f, r->facts.observed[i].name);
        }
        fputs("],\"outcomes\":[", f);
        for (uint32_t i = 0; i < r->n_outcomes; i++) {
                const struct outcome *o = &r->outcomes[i];
                fputs(i ? ",{\"values\":[" : "{\"values\":[", f);
                for (uint32_t k = 0; k < r->facts.n_observed; k++) {
                        fputs(k ? "," : "", f);
                        json_string(f, phrase_observed(buf, sizeof(buf), s, &r->facts.observed[k], o->values[k]));
                }
                fprintf(f, "],\"executions\":%" PRIu64 ",\"schedule\":", o->executions);
                json_string(f, o->schedule);
                fputc('}', f);
        }
        fputc(']', f);
}

static void put_access(FILE *f, struct symbols *s, const struct race_access *a)
{
        struct symbols_frame at = phrase_where(s, a->stack, a->n_stack);
        const char *base = at.file ? strrchr(at.file, '/') : NULL;
        char text[512];

        snprintf(text, sizeof text, "T%u %ss in %s%s%s%s%.0u", a->actor, race_kind_name(a->kind), at.function,
                 at.line ? ", " : "",
                 !at.line ? ""
                 : base   ? base + 1
                          : at.file,
                 at.line ? ":" : "", at.line);
        json_string(f, text);
}

static void put_races(FILE *f, struct symbols *s, const struct result *r)
{
        struct racelist_entry *all = r->n_races ? malloc(r->n_races * sizeof *all) : NULL;
        uint32_t n = all ? racelist_gather(s, r, all) : 0;

        fputs(",\"races\":[", f);
        for (uint32_t i = 0; i < n && i < MAX_RACES; i++) {
                const struct race *x = all[i].race;
                fprintf(f, "%s[\"%s\",", i ? ",\n" : "\n", racelist_name(x, all[i].verdict));
                json_string(f, all[i].name);
                fputc(',', f);
                put_access(f, s, &x->access[x->first == RACE_BACKWARD]);
                fputc(',', f);
                put_access(f, s, &x->access[x->first != RACE_BACKWARD]);
                fputc(']', f);
        }
        fputc(']', f);
        free(all);
}

/* The whole object into memory; NULL when that runs out. */
static char *make_data(const struct report_info *info, const struct result *r, size_t *size)
{
        struct symbols *own, *s = phrase_symbols(r, NULL, &own);
        char *data = NULL;
        FILE *f = s ? open_memstream(&data, size) : NULL;
        bool failed = !f;

        if (f) {
                struct scene scene;
                put_head(f, info, r, s);
                put_outcomes(f, s, r);
                put_races(f, s, r);
                scene_init(&scene, f, s, info);
                fputs(",\"failures\":[", f);
                for (uint32_t i = 0; i < r->n_findings; i++) {
                        fputs(i ? ",\n" : "\n", f);
                        finding_focus(&r->findings[i], s);
                        scene_finding(&scene, &r->findings[i]);
                }
                fputc(']', f);
                failed = scene_fini(&scene);
                fputs("}", f);
                failed = fclose(f) != 0 || failed;
        }
        symbols_destroy(own);
        if (!failed)
                return data;
        free(data);
        errno = ENOMEM;
        return NULL;
}

int report_html(FILE *f, const struct report_info *info, const struct result *r)
{
        size_t size = 0, page = (size_t)(heddle_page_end - heddle_page);
        const char *mark = memmem(heddle_page, page, DATA_MARK, strlen(DATA_MARK));
        char *data = make_data(info, r, &size);

        if (!data || !mark) {
                free(data);
                return -1;
        }
        fwrite(heddle_page, 1, (size_t)(mark - heddle_page), f);
        for (size_t i = 0; i < size; i++) {
                if (data[i] == '<')
                        fputs("\\u003c", f);
                else
                        fputc(data[i], f);
        }
        mark += strlen(DATA_MARK);
        fwrite(mark, 1, (size_t)(heddle_page_end - mark), f);
        free(data);
        return fflush(f) || ferror(f) ? -1 : 0;
}
