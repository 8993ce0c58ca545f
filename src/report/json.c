/*
 * The object of `--json`.  docs/FORMATS.md names its fields; a field never changes its meaning.
 *
 * Invariant: what is written is one valid JSON object in UTF-8 whatever bytes the program's names and messages hold.
 */
#include <inttypes.h>

#include "base/json.h"
#include "op/op.h"
#include "report/report.h"
#include "report/json_failure.h"
#include "report/wording.h"
#include "report/race_list.h"
#include "binary/symbols.h"
#include "binary/instrumentation.h"
#include "verdict/busy_waits.h"

/* A field after others: ", "name": ". */
static void put_key(FILE *f, const char *name)
{
        fprintf(f, ",\n  \"%s\": ", name);
}

static void put_number(FILE *f, const char *name, uint64_t n)
{
        put_key(f, name);
        fprintf(f, "%" PRIu64, n);
}

static void put_leak(FILE *f, struct symbols *s, const struct leak *l)
{
        struct symbols_frame where = phrase_where(s, l->block.allocated, l->block.n_allocated);
        uint64_t most = 0;

        for (uint32_t i = 0; i < l->n_amounts; i++)
                most = l->amounts[i].bytes > most ? l->amounts[i].bytes : most;
        fputs("{\"where\": ", f);
        json_frame(f, &where);
        fprintf(f,
                ", \"least\": %" PRIu64 ", \"most\": %" PRIu64 ", \"executions\": %" PRIu64 ", \"stack\": ", l->least,
                most, leak_executions(l, 0));
        json_stack(f, s, l->block.allocated, l->block.n_allocated);
        fputc('}', f);
}

static void put_leaks(FILE *f, struct symbols *s, const struct result *r)
{
        uint32_t told = 0;

        put_key(f, "leaks");
        fputc('[', f);
        for (uint32_t i = 0; i < r->n_leaks; i++) {
                if (!r->leaks[i].n_amounts)
                        continue;
                fputs(told++ ? ",\n    " : "\n    ", f);
                put_leak(f, s, &r->leaks[i]);
        }
        fputc(']', f);
}

static void put_outcome(FILE *f, const struct result *r, const struct outcome *o)
{
        fputs("\n    {\"state\": {", f);
        for (uint32_t i = 0; i < r->facts.n_observed; i++) {
                const struct observed *v = &r->facts.observed[i];
                fputs(i ? ", " : "", f);
                json_string(f, v->name);
                if (v->is_signed)
                        fprintf(f, ": %" PRId64, phrase_signed(o->values[i], v->size));
                else
                        fprintf(f, ": %" PRIu64, phrase_masked(o->values[i], v->size));
        }
        fprintf(f, "}, \"executions\": %" PRIu64 ", \"schedule\": ", o->executions);
        json_string(f, o->schedule);
        fputc('}', f);
}

static void put_text(FILE *f, const char *text)
{
        if (text)
                json_string(f, text);
        else
                fputs("null", f);
}

static void put_access(FILE *f, struct symbols *s, const struct race_access *a)
{
        struct symbols_frame where = phrase_where(s, a->stack, a->n_stack);
        char text[160];

        fprintf(f, "\n       {\"thread\": %u, \"kind\": \"%s\", \"object\": ", a->actor, race_kind_name(a->kind));
        json_string(f, finding_object(text, sizeof(text), s, OP_READ, a->obj));
        fputs(", \"expression\": ", f);
        put_text(f, racelist_expression(s, a));
        fputs(", \"block\": ", f);
        put_text(f, symbols_block(s, a->obj));
        fprintf(f, ", \"address\": \"0x%" PRIx64 "\", \"size\": %u, \"value\": ", a->obj, a->size);
        json_optional(f, a->has_value, phrase_masked(a->value, a->size));
        fputs(", \"where\": ", f);
        json_frame(f, &where);
        fputs(", \"stack\": ", f);
        json_stack(f, s, a->stack, a->n_stack);
        fputs(", \"locks\": [", f);
        for (uint32_t i = 0; i < a->n_locks; i++) {
                fputs(i ? ", " : "", f);
                json_string(f, finding_name(text, sizeof(text), s, a->locks[i].kind, a->locks[i].obj));
        }
        fputs("]}", f);
}

static void put_race(FILE *f, struct symbols *s, const struct result *r, const struct race *race)
{
        static const char *const orders[] = {"[]", "[\"0 1\"]", "[\"1 0\"]", "[\"0 1\", \"1 0\"]"};

        phrase_focus_race(s, race);
        fprintf(f, "\n    {\"verdict\": \"%s\", \"candidate\": %s,\n     \"accesses\": [",
                race_verdict_name(race_verdict(race, r->stats.complete)), json_bool(race->candidate));
        put_access(f, s, &race->access[0]);
        fputc(',', f);
        put_access(f, s, &race->access[1]);
        fprintf(f, "],\n     \"orders\": %s, \"first_execution\": %s, \"execution\": %" PRIu64,
                orders[race->orders & 3], json_bool(race->execution == 1 && !race->by_probe), race->execution);
        fprintf(f,
                ", \"count\": %" PRIu64 ", \"failing\": %" PRIu64 ", \"found_by\": \"%s\", \"schedule\": ", race->count,
                race->failing, race->by_probe ? "probe" : "search");
        json_string(f, race->schedule);
        fputc('}', f);
}

/* Of a strategy that counts combinations of values; null with others. */
static void put_values(FILE *f, const struct stats *st)
{
        put_key(f, "value_classes");
        json_optional(f, st->counts_values, st->value_classes);
        put_key(f, "undecided");
        json_optional(f, st->counts_values, 0);
        put_key(f, "solver");
        if (!st->counts_values) {
                fputs("null", f);
                return;
        }
        fprintf(f,
                "{\"reads\": %" PRIu64 ", \"queries\": %" PRIu64 ", \"saturation\": 0, \"search\": %" PRIu64
                ", \"smt\": %" PRIu64 ", \"seconds\": ",
                st->reads, st->queries + st->smt_queries, st->queries, st->smt_queries);
        json_double(f, st->query_seconds);
        fputc('}', f);
}

/* Of loops that may not end; null where no limit was needed. */
static void put_rounds(FILE *f, const struct stats *st)
{
        put_key(f, "rounds");
        if (st->fair_limit)
                fprintf(f, "{\"covered\": %" PRIu64 ", \"reached\": %" PRIu64 ", \"fair_after\": %u}",
                        st->rounds_covered, st->rounds, st->fair_limit);
        else
                fputs("null", f);
}

/* Of --strategy predict; the keys are not there with others. */
static void put_prediction(FILE *f, const struct stats *st)
{
        static const char *const keys[] = {"predicted", "confirmed", "refuted"};
        const struct prediction_figures *p = &st->prediction;
        const uint64_t *const figures[] = {p->predicted, p->confirmed, p->refuted};

        for (uint32_t i = 0; st->predicts && i < sizeof keys / sizeof *keys; i++) {
                put_key(f, keys[i]);
                for (uint32_t k = 0; k < PREDICTION_KINDS; k++)
                        fprintf(f, "%s\"%s\": %" PRIu64, k ? ", " : "{", prediction_name(k), figures[i][k]);
                fputc('}', f);
        }
        if (!st->predicts)
                return;
        put_key(f, "pairs");
        if (!p->counted)
                fputs("null", f);
        else
                fprintf(f, "{\"both_orders\": %" PRIu64 ", \"impossible\": %" PRIu64 ", \"open\": %" PRIu64 "}",
                        p->both, p->impossible, p->open);
}

static void put_figures(FILE *f, const struct stats *st)
{
        put_number(f, "executions", st->executions);
        put_number(f, "runs", stats_runs(st));
        put_number(f, "blocked", st->blocked);
        put_number(f, "classes", st->classes);
        put_values(f, st);
        put_prediction(f, st);
        put_number(f, "probes", st->probes);
        put_key(f, "cut");
        fprintf(f, "{\"assume\": %" PRIu64 ", \"bound\": %" PRIu64 ", \"depth\": %" PRIu64 ", \"spin\": %" PRIu64 "}",
                st->cut_assume, st->cut_bound, st->cut_depth, st->cut_spin);
        put_rounds(f, st);
        put_number(f, "events", st->events);
        put_number(f, "transitions", st->transitions);
        put_number(f, "timed_out", st->timed_out);
        put_number(f, "blocked_events", st->blocked_events);
        put_number(f, "threads", st->threads);
        put_number(f, "restarts", st->restarts);
        put_key(f, "seconds");
        json_double(f, st->seconds);
        put_key(f, "per_second");
        json_double(f, st->seconds > 0 ? (double)stats_runs(st) / st->seconds : 0);
        put_key(f, "estimate");
        if (st->complete || st->share <= 0)
                fputs("{\"executions\": null, \"seconds\": null}", f);
        else
                report_estimate(f, st);
}

/* What is proven although not everything was explored. */
static void put_proven(FILE *f, const struct result *r)
{
        char words[128];

        put_key(f, "proven");
        if (r->stats.complete || !phrase_proven(words, sizeof words, r)[0]) {
                fputs("null", f);
                return;
        }
        fputs("{\"preemptions\": ", f);
        json_optional(f, r->stats.proven, r->stats.proven - UINT64_C(1));
        fputs(", \"text\": ", f);
        json_string(f, words);
        fputc('}', f);
}

/* What was seen of each module. */
static void put_modules(FILE *f, const struct result *r)
{
        static const char *const words[] = {
                [WATCHED_ACCESSES] = "accesses", [WATCHED_CALLS] = "calls", [WATCHED_SYSTEM] = "system"};
        const char *sep = "";

        put_key(f, "modules");
        fputc('[', f);
        for (uint32_t i = 0; i < r->facts.n_modules; i++) {
                enum watched watched = watched_module(r->facts.modules[i].path);
                if (watched == WATCHED_OWN)
                        continue;
                fprintf(f, "%s{\"path\": ", sep);
                json_string(f, r->facts.modules[i].path);
                fprintf(f, ", \"scope\": \"%s\"}", words[watched]);
                sep = ", ";
        }
        fputc(']', f);
}

static void put_assumed(FILE *f, const struct result *r)
{
        put_key(f, "assumed");
        fputc('[', f);
        for (uint32_t i = 0; i < r->facts.n_assumed; i++) {
                fputs(i ? ", " : "", f);
                json_string(f, r->facts.assumed[i]);
        }
        if (r->facts.unfiltered)
                fprintf(f, "%s\"files opened while the program runs\"", r->facts.n_assumed ? ", " : "");
        fputc(']', f);
}

/* The sets of preemption points of --strategy deepen. */
static void put_sets(FILE *f, const struct result *r, struct symbols *s)
{
        put_key(f, "sets");
        fputc('[', f);
        for (uint32_t i = 0; i < r->n_sets; i++) {
                const struct point_set_result *p = &r->sets[i];
                fprintf(f,
                        "%s\n    {\"state\": \"%s\", \"maximal\": %s, \"acquire\": %s, \"release\": %s, "
                        "\"executions\": %" PRIu64 ", \"seconds\": ",
                        i ? "," : "", point_set_state_name(p->state), json_bool(p->maximal),
                        json_bool(p->classes & WIRE_POINT_ACQUIRE), json_bool(p->classes & WIRE_POINT_RELEASE),
                        p->executions);
                json_double(f, p->seconds);
                fputs(", \"races\": [", f);
                for (uint32_t k = 0; k < p->n_sites; k++) {
                        struct symbols_frame at = symbols_place(s, p->sites[k]);
                        fputs(k ? ", " : "", f);
                        json_frame(f, &at);
                }
                fputs("]}", f);
        }
        fputc(']', f);
}

/* What was excluded by request, and loops in which threads wait for others. */
static void put_hints(FILE *f, const struct result *r, struct symbols *s)
{
        put_key(f, "excluded");
        fputc('[', f);
        for (uint32_t i = 0; i < r->facts.n_excluded; i++) {
                fputs(i ? ", " : "", f);
                json_string(f, r->facts.excluded[i]);
        }
        fputc(']', f);
        put_key(f, "busy_waits");
        fputc('[', f);
        for (uint32_t i = 0; i < r->n_busy; i++) {
                struct symbols_frame at = symbols_place(s, r->busy[i]);
                fputs(i ? ", " : "", f);
                json_frame(f, &at);
        }
        fputc(']', f);
        if (!hints_uncommitted(r, 0))
                return;
        put_key(f, "never_commits");
        fputc('[', f);
        for (uint32_t i = 0; hints_uncommitted(r, i); i++) {
                struct symbols_frame at = symbols_place(s, hints_uncommitted(r, i));
                fputs(i ? ", " : "", f);
                json_frame(f, &at);
        }
        fputc(']', f);
}

static void put_reasons(FILE *f, const char *name, const struct reasons *r)
{
        char why[REASON_TEXT];

        put_key(f, name);
        fputc('[', f);
        for (uint32_t i = 0; r && reasons_text(r, i, why); i++) {
                fputs(i ? ", " : "", f);
                json_string(f, why);
        }
        fputc(']', f);
}

/* The strategy that took the place of the one that was asked for. */
static void put_instead(FILE *f, const struct result *r)
{
        put_key(f, "instead");
        if (!r->instead) {
                fputs("null", f);
                return;
        }
        fputs("{\"name\": ", f);
        json_string(f, r->instead);
        fputs(", \"reason\": ", f);
        json_string(f, r->instead_why);
        fputc('}', f);
}

static void put_head(FILE *f, const struct report_info *info, const struct result *r, struct symbols *s)
{
        struct reasons some;
        char why[REASON_TEXT];

        fputs("{\n  \"heddle\": ", f);
        json_string(f, info->version);
        put_key(f, "program");
        json_string(f, info->program);
        put_key(f, "verdict");
        json_string(f, phrase_verdict(r));
        put_key(f, "complete");
        fputs(json_bool(r->stats.complete), f);
        put_key(f, "why_incomplete");
        json_string(f, r->stats.complete ? NULL : reasons_text(&r->stats.reasons, 0, why));
        put_reasons(f, "reasons", r->stats.complete ? NULL : &r->stats.reasons);
        put_key(f, "scope");
        json_string(f, r->facts.instrumented ? "accesses" : "calls");
        some = reasons_not_covered(&r->stats.reasons);
        put_reasons(f, "not_covered", r->stats.complete ? NULL : &some);
        put_key(f, "headline");
        json_string(f, r->n_findings ? NULL : phrase_headline(why, sizeof why, r, racelist_count(s, r)));
        put_key(f, "strategy");
        json_string(f, info->strategy);
        put_instead(f, r);
        put_key(f, "memory");
        json_string(f, info->memory);
        put_key(f, "preempt");
        json_string(f, info->preempt);
        put_sets(f, r, s);
        put_hints(f, r, s);
        put_key(f, "instrumented");
        fputs(json_bool(r->facts.instrumented), f);
        put_modules(f, r);
        put_assumed(f, r);
        put_key(f, "isolation");
        fprintf(f, "{\"mode\": \"%s\", \"why\": ", r->facts.forked ? "fork" : "snapshot");
        json_string(f, r->facts.isolation[0] ? r->facts.isolation : NULL);
        fputc('}', f);
}

/* Executions with failures that do not count, by kind. */
static void put_ignored(FILE *f, const struct stats *st)
{
        bool first = true;

        put_key(f, "ignored");
        fputc('{', f);
        for (uint32_t i = 0; i < FINDING_KINDS; i++)
                if (st->ignored[i]) {
                        fprintf(f, "%s\"%s\": %" PRIu64, first ? "" : ", ", finding_kind_name(i), st->ignored[i]);
                        first = false;
                }
        fputc('}', f);
}

static void put_outputs(FILE *f, const struct result *r)
{
        put_key(f, "outputs");
        fputc('[', f);
        for (uint32_t i = 0; i < r->n_printed; i++) {
                const struct printed *o = &r->printed[i];
                fprintf(f, "%s\n    {\"text\": ", i ? "," : "");
                json_string(f, o->text);
                fprintf(f, ", \"bytes\": %" PRIu64 ", \"status\": %d, \"executions\": %" PRIu64 ", \"schedule\": ",
                        o->bytes, o->status, o->executions);
                json_string(f, o->schedule);
                fputc('}', f);
        }
        fputc(']', f);
}

/* --shard, and `heddle merge`. */
static void put_shard(FILE *f, const struct result_shard *s)
{
        if (!s->of)
                return;
        put_key(f, "shard");
        fputs("{\"index\": ", f);
        json_optional(f, s->index != 0, s->index);
        fprintf(f, ", \"of\": %u, \"planned\": %" PRIu64 ", \"tasks\": %u, \"own\": %u, \"extra\": %" PRIu64, s->of,
                s->planned, s->tasks, s->own, s->extra);
        fputs(", \"duplicates\": ", f);
        json_optional(f, !s->index && !s->full, s->duplicates);
        fputs(", \"data\": ", f);
        json_string(f, s->data);
        fputc('}', f);
}

int report_json(FILE *f, const struct report_info *info, const struct result *r)
{
        struct symbols *own, *s = phrase_symbols(r, NULL, &own);

        if (!s)
                return -1;
        put_head(f, info, r, s);
        put_figures(f, &r->stats);
        put_proven(f, r);
        put_ignored(f, &r->stats);
        put_shard(f, &r->shard);
        put_key(f, "failures");
        fputc('[', f);
        for (uint32_t i = 0; i < r->n_findings; i++) {
                fputs(i ? "," : "", f);
                finding_focus(&r->findings[i], s);
                json_failure(f, s, &r->findings[i]);
        }
        fputc(']', f);
        if (r->facts.n_observed) {
                put_key(f, "outcomes");
                fputc('[', f);
                for (uint32_t i = 0; i < r->n_outcomes; i++) {
                        fputs(i ? "," : "", f);
                        put_outcome(f, r, &r->outcomes[i]);
                }
                fputc(']', f);
        }
        put_outputs(f, r);
        put_leaks(f, s, r);
        put_number(f, "data_races", racelist_count(s, r));
        put_key(f, "races");
        fputc('[', f);
        for (uint32_t i = 0; i < r->n_races; i++) {
                fputs(i ? "," : "", f);
                put_race(f, s, r, &r->races[i]);
        }
        fputs("]\n}\n", f);
        symbols_destroy(own);
        return fflush(f) || ferror(f) ? -1 : 0;
}
