/*
 * The report as SARIF 2.1.0 (OASIS), for code hosts and editors: a rule for each kind of failure, a result for each
 * failure with its stack, and its schedule as a code flow with one thread flow per thread, in execution order.  Data races
 * that are not failures are results of level note or warning, with the other access as a related location.
 *
 * File names are URIs relative to %SRCROOT% where they are relative here.  Entries without a source line are omitted.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/json.h"
#include "op/op.h"
#include "report/wording.h"
#include "report/race_list.h"
#include "report/report.h"
#include "report/step.h"

#define MAX_STEPS 2000u /* of one thread flow: code hosts cut longer ones */

static void put_uri(FILE *f, const char *path)
{
        fputs(path[0] == '/' ? "\"file://" : "\"", f);
        for (const unsigned char *p = (const unsigned char *)path; *p; p++) {
                if ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9') ||
                    strchr("/._-~+", *p))
                        fputc(*p, f);
                else
                        fprintf(f, "%%%02X", *p);
        }
        fputc('"', f);
}

/* The fields of a location object, without its braces. */
static void put_place(FILE *f, const struct symbols_frame *at)
{
        fputs("\"physicalLocation\": {\"artifactLocation\": {\"uri\": ", f);
        put_uri(f, at->file);
        if (at->file[0] != '/')
                fputs(", \"uriBaseId\": \"%SRCROOT%\"", f);
        fprintf(f, "}, \"region\": {\"startLine\": %u}}, \"logicalLocations\": [{\"kind\": \"function\", \"name\": ",
                at->line);
        json_string(f, at->function);
        fputs("}]", f);
}

static void put_message(FILE *f, const char *text)
{
        fputs("\"message\": {\"text\": ", f);
        json_string(f, text);
        fputc('}', f);
}

static void put_stack(FILE *f, struct symbols *s, const uint64_t *sites, uint32_t n)
{
        const char *comma = "";

        fputs(",\n      \"stacks\": [{\"frames\": [", f);
        for (uint32_t i = 0; i < n; i++) {
                const struct symbols_frame *frames;
                uint32_t k = symbols_frames(s, sites[i], &frames);
                for (uint32_t j = 0; j < k; j++) {
                        if (!frames[j].line || !frames[j].file || frames[j].runtime)
                                continue;
                        fprintf(f, "%s{\"location\": {", comma);
                        put_place(f, &frames[j]);
                        fputs("}}", f);
                        comma = ", ";
                }
        }
        fputs("]}]", f);
}

/* The steps of one thread that have a line; false: it has none, and nothing was written. */
static bool put_flow(FILE *f, struct symbols *s, const struct delays *d, uint32_t actor, bool first)
{
        const struct trace *t = d->t;
        uint32_t n = 0;

        for (uint32_t i = 0; i < t->n_events && n < MAX_STEPS; i++) {
                const struct wire_event *e = &t->events[i];
                struct symbols_frame at;
                char *step;

                if (e->actor != actor || e->op == OP_FORWARD)
                        continue;
                at = phrase_entry(s, t, i);
                if (!at.line || !at.file)
                        continue;
                if (n++ == 0)
                        fprintf(f, "%s{\"id\": \"T%u%s\", \"locations\": [", first ? "" : ",\n        ",
                                trace_owner(t, actor), trace_is_buffer(t, actor) ? " store buffer" : "");
                step = step_text(s, d, i, true);
                fprintf(f, "%s\n          {\"executionOrder\": %u, \"location\": {", n > 1 ? "," : "", i + 1);
                put_message(f, step ? step : "?");
                fputs(", ", f);
                put_place(f, &at);
                fputs("}}", f);
                free(step);
        }
        if (n)
                fputs("]}", f);
        return n > 0;
}

static bool has_flow(struct symbols *s, const struct trace *t)
{
        for (uint32_t i = 0; i < t->n_events; i++) {
                struct symbols_frame at = phrase_entry(s, t, i);
                if (at.line && at.file)
                        return true;
        }
        return false;
}

static void put_flows(FILE *f, struct symbols *s, const struct trace *t)
{
        struct delays delays;
        bool first = true;

        if (!has_flow(s, t) || delays_init(&delays, t))
                return;
        fputs(",\n      \"codeFlows\": [{\"threadFlows\": [", f);
        for (uint32_t a = 0; a < t->n_threads; a++)
                if (put_flow(f, s, &delays, a, first))
                        first = false;
        delays_fini(&delays);
        fputs("]}]", f);
}

static void put_result(FILE *f, struct symbols *s, const struct finding *fd, const struct report_info *info)
{
        uint64_t sites[WIRE_MAX_STACK + 1];
        uint32_t n = finding_stack(fd->kind, fd->trace, fd->failure, sites);
        struct symbols_frame where = phrase_where(s, sites, n);
        char *message = finding_message(fd->kind, fd->trace, fd->failure, s), *text = NULL;

        const char *kind = finding_kind_name(fd->kind), *rest = phrase_rest(fd->kind, message);
        if (asprintf(&text, "%s%s%s. Replay: heddle replay '%s' %s%s", kind, rest == message ? ": " : "", rest,
                     fd->schedule ? fd->schedule : "", phrase_replay_option(fd),
                     info->replay_hint ? info->replay_hint : "") < 0)
                text = NULL;
        fprintf(f, "\n     {\"ruleId\": \"%s\", \"ruleIndex\": %u, \"level\": \"error\", ", finding_kind_name(fd->kind),
                (unsigned)fd->kind);
        put_message(f, text ? text : "");
        free(text);
        free(message);
        fputs(",\n      \"locations\": [", f);
        if (n && where.line && where.file) {
                fputc('{', f);
                put_place(f, &where);
                fputc('}', f);
        }
        fputc(']', f);
        if (n)
                put_stack(f, s, sites, n);
        put_flows(f, s, fd->trace);
        fprintf(f, ",\n      \"partialFingerprints\": {\"heddleFailure/v1\": \"%016" PRIx64 "\"}", fd->key);
        fprintf(f,
                ",\n      \"properties\": {\"preemptions\": %u, \"execution\": %" PRIu64 ", \"count\": %" PRIu64
                ", \"schedule\": ",
                fd->preemptions, fd->execution, fd->count);
        json_string(f, fd->schedule ? fd->schedule : "");
        fprintf(f, ", \"found_by\": \"%s\"", fd->by_probe ? "probe" : "search");
        if (fd->minimized.done)
                fprintf(f, ", \"fewest\": %s", json_bool(fd->minimized.fewest));
        if (fd->minimized.inflection_known)
                fprintf(f, ", \"inflection\": %u", fd->minimized.inflection);
        fputs("}}", f);
}

static struct symbols_frame race_place(struct symbols *s, const struct race_access *a)
{
        return phrase_where(s, a->stack, a->n_stack);
}

static uint64_t hash_text(uint64_t h, const char *text)
{
        for (; *text; text++)
                h = hash_mix(h, (unsigned char)*text);
        return h;
}

/* The same for the race of the same memory and lines, in either order, in other builds too. */
static uint64_t race_fingerprint(const struct racelist_entry *e)
{
        uint64_t places = 0;

        for (int i = 0; i < 2; i++) {
                const char *base = strrchr(e->file[i], '/');
                places += hash_mix(hash_text(1, base ? base + 1 : e->file[i]), e->line[i]);
        }
        return hash_mix(hash_text(1, e->name), places);
}

/* A race that is not a failure: a note if that is proven. */
static void put_race(FILE *f, struct symbols *s, const struct racelist_entry *e)
{
        const struct race *r = e->race;
        bool back = r->first == RACE_BACKWARD;
        const struct race_access *a = &r->access[back], *b = &r->access[!back];
        struct symbols_frame here = race_place(s, a), other = race_place(s, b);
        char *text = racelist_sentence(s, e);

        fprintf(f, "\n     {\"ruleId\": \"race\", \"ruleIndex\": %u, \"level\": \"%s\", ", (unsigned)FINDING_RACE,
                e->verdict == RACE_BENIGN || e->verdict == RACE_IMPOSSIBLE ? "note" : "warning");
        put_message(f, text ? text : "");
        free(text);
        fputs(",\n      \"locations\": [", f);
        if (here.line && here.file) {
                fputc('{', f);
                put_place(f, &here);
                fputc('}', f);
        }
        fputc(']', f);
        put_stack(f, s, a->stack, a->n_stack);
        if (other.line && other.file) {
                fputs(",\n      \"relatedLocations\": [{", f);
                put_message(f, "the other access");
                fputs(", ", f);
                put_place(f, &other);
                fputs("}]", f);
        }
        fprintf(f, ",\n      \"partialFingerprints\": {\"heddleRace/v1\": \"%016" PRIx64 "\"}", race_fingerprint(e));
        fprintf(f,
                ",\n      \"properties\": {\"verdict\": \"%s\", \"candidate\": %s, \"count\": %" PRIu64
                ", \"schedule\": ",
                race_verdict_name(e->verdict), json_bool(r->candidate), r->count);
        json_string(f, r->schedule ? r->schedule : "");
        fputs("}}", f);
}

/* Unless races are failures (--fail-on race), and reported as such. */
static void put_races(FILE *f, struct symbols *s, const struct result *r)
{
        struct racelist_entry *all = r->n_races ? malloc(r->n_races * sizeof *all) : NULL;
        uint32_t n = all ? racelist_gather(s, r, all) : 0;

        for (uint32_t i = 0; i < r->n_findings; i++)
                n = r->findings[i].kind == FINDING_RACE ? 0 : n;
        for (uint32_t i = 0; i < n; i++) {
                fputs(i || r->n_findings ? "," : "", f);
                put_race(f, s, &all[i]);
        }
        free(all);
}

static const char *const help_of[FINDING_KINDS] = {
        [FINDING_DEADLOCK] = "All threads wait for each other, or for something that does not come.",
        [FINDING_ASSERTION] = "An assertion of the program does not hold in some schedule.",
        [FINDING_CRASH] = "A signal ends the program: an address that is not mapped, a division by zero, a trap.",
        [FINDING_ABORT] = "The program calls abort(), or an exception is not caught.",
        [FINDING_EXIT_STATUS] = "The program ends with a status other than 0.",
        [FINDING_LIVELOCK] = "Threads keep running, and none makes progress.",
        [FINDING_INFINITE_LOOP] = "A thread runs a loop that does not end.",
        [FINDING_LOCK_MISUSE] = "A lock is used against its rules: released by another thread, destroyed while held.",
        [FINDING_NONDETERMINISM] = "The same schedule does not always have the same effect.",
        [FINDING_INVARIANT] = "A function given by --invariant or --final returns 0.",
        [FINDING_RACE] = ("Two threads access the same memory, one of them writes, and nothing orders them. This is "
                          "undefined behaviour in C and C++."),
        [FINDING_USE_AFTER_FREE] = "Memory is used after it was freed.",
        [FINDING_DOUBLE_FREE] = "A block of the heap is freed twice.",
        [FINDING_INVALID_FREE] = "free() gets an address that malloc() did not return.",
        [FINDING_OUT_OF_BOUNDS] = "An access is outside of its block of the heap.",
        [FINDING_LEAK] = "A block of the heap that nothing points to at the end, in some schedules.",
        [FINDING_TRANSACTION] = "A transaction is ended where there is none, or transactions are nested too deep.",
};

static void put_tool(FILE *f, const struct report_info *info)
{
        fputs("{\"driver\": {\"name\": \"heddle\", \"version\": ", f);
        json_string(f, info->version ? info->version : "");
        fputs(", \"rules\": [", f);
        for (int kind = 0; kind < FINDING_KINDS; kind++)
                fprintf(f,
                        "%s\n     {\"id\": \"%s\", \"shortDescription\": {\"text\": \"%s\"}, \"help\": {\"text\": "
                        "\"%s\"}}",
                        kind ? "," : "", finding_kind_name(kind), finding_kind_name(kind), help_of[kind]);
        fputs("]}}", f);
}

int report_sarif(FILE *f, const struct report_info *info, const struct result *r)
{
        struct symbols *own, *s = phrase_symbols(r, NULL, &own);
        char why[REASONS_LINE];

        if (!s)
                return -1;
        fputs("{\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\", \"version\": \"2.1.0\",\n"
              " \"runs\": [\n   {\"tool\": ",
              f);
        put_tool(f, info);
        fputs(",\n    \"invocations\": [{\"executionSuccessful\": true", f);
        if (!r->stats.complete && !r->n_findings) {
                fputs(", \"toolExecutionNotifications\": [{\"level\": \"warning\", ", f);
                put_message(f, reasons_line(&r->stats.reasons, why));
                fputs("}]", f);
        }
        fputs("}],\n    \"columnKind\": \"utf16CodeUnits\",\n    \"results\": [", f);
        for (uint32_t i = 0; i < r->n_findings; i++) {
                fputs(i ? "," : "", f);
                finding_focus(&r->findings[i], s);
                put_result(f, s, &r->findings[i], info);
        }
        put_races(f, s, r);
        fprintf(f,
                "],\n    \"properties\": {\"verdict\": \"%s\", \"complete\": %s, \"executions\": %" PRIu64
                ", \"runs\": %" PRIu64 ", \"probes\": %" PRIu64 "}}]}\n",
                phrase_verdict(r), json_bool(r->stats.complete), r->stats.executions, stats_runs(&r->stats),
                r->stats.probes);
        symbols_destroy(own);
        return fflush(f) || ferror(f) ? -1 : 0;
}
