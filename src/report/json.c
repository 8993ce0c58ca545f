/*
 * The object of `--json`.  SPEC names its fields; a field never changes its meaning.
 *
 * Invariant: what is written is one valid JSON object in UTF-8 whatever bytes the program's names and messages hold.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "op/op.h"
#include "report/report.h"
#include "report/phrase.h"
#include "report/step.h"
#include "report/story.h"
#include "trace/symbols.h"
#include "trace/waits.h"
#include "trace/watched.h"

/* A field after others: ", "name": ". */
static void put_key(FILE *f, const char *name)
{
        fprintf(f, ",\n  \"%s\": ", name);
}

static void put_frame(FILE *f, const struct symbols_frame *frame)
{
        fputs("{\"file\": ", f);
        json_string(f, frame->file);
        fputs(", \"line\": ", f);
        if (frame->line)
                fprintf(f, "%u", frame->line);
        else
                fputs("null", f);
        fputs(", \"function\": ", f);
        json_string(f, frame->function);
        fputc('}', f);
}

static void put_stack(FILE *f, struct symbols *s, const uint64_t *sites, uint32_t n)
{
        const char *comma = "";

        fputc('[', f);
        for (uint32_t i = 0; i < n; i++) {
                const struct symbols_frame *frames;
                uint32_t k = symbols_frames(s, sites[i], &frames);
                for (uint32_t j = 0; j < k; j++) {
                        if (frames[j].runtime)
                                continue;
                        fputs(comma, f);
                        put_frame(f, &frames[j]);
                        comma = ", ";
                }
        }
        fputc(']', f);
}

static const char *state_name(uint32_t state)
{
        static const char *const names[] = {
                [WIRE_T_UNUSED] = "unused", [WIRE_T_READY] = "ready",  [WIRE_T_BLOCKED] = "blocked",
                [WIRE_T_SPIN] = "spinning", [WIRE_T_DONE] = "done",    [WIRE_T_FAILED] = "failed",
                [WIRE_T_ASSUME] = "assume", [WIRE_T_BUDGET] = "depth", [WIRE_T_EXITED] = "exited",
        };
        return state < sizeof(names) / sizeof(names[0]) ? names[state] : "?";
}

static void put_thread(FILE *f, struct symbols *s, const struct finding *fd, uint32_t i)
{
        const struct trace *t = fd->trace;
        const struct wire_thread *th = &t->threads[i];
        uint64_t sites[WIRE_MAX_STACK + 1];
        char text[160];
        uint32_t n = finding_thread_stack(t, i, sites);

        if (fd->failure < t->n_failures && t->failures[fd->failure].actor == i)
                n = finding_stack(fd->kind, t, fd->failure, sites);
        fprintf(f, "\n       {\"id\": %u, \"name\": ", i);
        json_string(f, phrase_thread_name(text, sizeof(text), s, t, i));
        fprintf(f, ", \"state\": \"%s\", \"stack\": ", state_name(th->state));
        put_stack(f, s, sites, n);
        if (th->state == WIRE_T_BLOCKED) {
                uint32_t holder = waits_for(t, i);
                fputs(", \"waits_for\": {\"operation\": ", f);
                json_string(f, op_name(th->op));
                fputs(", \"object\": ", f);
                json_string(f, finding_object(text, sizeof(text), s, th->op, th->obj));
                fputs(", \"held_by\": ", f);
                if (holder != WIRE_NO_ACTOR)
                        fprintf(f, "%u", holder);
                else
                        fputs("null", f);
                fputc('}', f);
        }
        fputc('}', f);
}

static void put_minimized(FILE *f, struct symbols *s, const struct finding *fd)
{
        const struct minimized *z = &fd->minimized;
        char *words = story_inflection(s, fd);

        fputs(",\n     \"minimized\": ", f);
        if (z->done) {
                fprintf(f,
                        "{\"fewest\": %s, \"switches\": %u, \"steps\": %u, \"was\": {\"preemptions\": %u, "
                        "\"switches\": %u, \"steps\": %u}, \"runs\": %" PRIu64 ", \"seconds\": ",
                        z->fewest ? "true" : "false", z->switches, z->steps, z->was_preemptions, z->was_switches,
                        z->was_steps, z->runs);
                json_double(f, z->seconds);
                fputc('}', f);
        } else {
                fputs("null", f);
        }
        fputs(",\n     \"inflection\": ", f);
        if (words) {
                fprintf(f, "{\"step\": %u, \"thread\": ", z->inflection);
                if (z->inflection)
                        fprintf(f, "%u", fd->trace->events[z->inflection - 1].actor);
                else
                        fputs("null", f);
                fputs(", \"words\": ", f);
                json_string(f, words);
                fputc('}', f);
        } else {
                fputs("null", f);
        }
        free(words);
}

/* The block of the heap that a failure is about, if there is one. */
static void put_block(FILE *f, struct symbols *s, const struct wire_block *k)
{
        if (!k->n_allocated)
                return;
        fprintf(f,
                ",\n     \"block\": {\"address\": \"0x%" PRIx64 "\", \"size\": %" PRIu64
                ", \"allocated\": {\"thread\": %u, \"stack\": ",
                k->start, k->size, k->actor);
        put_stack(f, s, k->allocated, k->n_allocated);
        fputs("}, \"freed\": ", f);
        if (k->n_freed) {
                fprintf(f, "{\"thread\": %u, \"stack\": ", k->freed_by);
                put_stack(f, s, k->freed, k->n_freed);
                fputs("}}", f);
        } else {
                fputs("null}", f);
        }
}

/* Stores that waited in a store buffer while another thread could tell; steps as in `replay --steps`. */
static void put_delayed(FILE *f, struct symbols *s, const struct trace *t)
{
        struct delays d;
        const char *comma = "";

        fputs(",\n     \"delayed\": [", f);
        if (delays_init(&d, t) == 0 && d.of) {
                for (uint32_t i = 0; i < t->n_events; i++) {
                        struct delay of = delays_of(&d, i);
                        if (!(t->events[i].weak & WIRE_WEAK_BUFFERED) || of.past == DELAYS_NONE)
                                continue;
                        char *what = step_access(s, &t->events[i]);
                        fprintf(f, "%s\n      {\"thread\": %u, \"store\": ", comma, t->events[i].actor);
                        json_string(f, what);
                        fprintf(f, ", \"step\": %u, \"reaches_memory\": ", i + 1);
                        if (of.pair != DELAYS_NONE)
                                fprintf(f, "%u", of.pair + 1);
                        else
                                fputs("null", f);
                        fprintf(f, ", \"noticed_by\": {\"thread\": %u, \"step\": %u}}",
                                trace_owner(t, t->events[of.past].actor), of.past + 1);
                        free(what);
                        comma = ",";
                }
        }
        delays_fini(&d);
        fputc(']', f);
}

static void put_failure(FILE *f, struct symbols *s, const struct finding *fd)
{
        const struct trace *t = fd->trace;
        uint64_t sites[WIRE_MAX_STACK + 1];
        char *message = finding_message(fd->kind, t, fd->failure, s);

        fprintf(f, "\n    {\"kind\": \"%s\", \"message\": ", finding_kind_name(fd->kind));
        json_string(f, message ? message : "");
        free(message);
        fputs(",\n     \"where\": ", f);
        uint32_t n = finding_stack(fd->kind, t, fd->failure, sites);
        struct symbols_frame where = phrase_where(s, sites, n);
        put_frame(f, &where);
        fputs(",\n     \"threads\": [", f);
        for (uint32_t i = 0, told = 0; i < t->n_threads; i++) {
                if (t->threads[i].state == WIRE_T_UNUSED || trace_is_buffer(t, i))
                        continue;
                fputs(told++ ? "," : "", f);
                put_thread(f, s, fd, i);
        }
        fputc(']', f);
        if (fd->kind == FINDING_LEAK)
                fprintf(f, ",\n     \"lost\": {\"bytes\": %u, \"blocks\": %u}", t->failures[fd->failure].status,
                        t->failures[fd->failure].other_op);
        if (fd->failure < t->n_failures)
                put_block(f, s, &t->failures[fd->failure].block);
        char *story = story_tell(s, fd), *fences = story_fences(s, fd);
        fputs(",\n     \"story\": ", f);
        json_string(f, story);
        put_delayed(f, s, t);
        fputs(", \"fences\": ", f);
        json_string(f, fences);
        free(story);
        free(fences);
        put_minimized(f, s, fd);
        fputs(",\n     \"schedule\": ", f);
        json_string(f, fd->schedule);
        fprintf(f, ", \"preemptions\": %u, \"execution\": %" PRIu64 ", \"count\": %" PRIu64 ", \"found_by\": \"%s\"}",
                fd->preemptions, fd->execution, fd->count, fd->looked ? "look" : "search");
}

static void put_leak(FILE *f, struct symbols *s, const struct leak *l)
{
        struct symbols_frame where = phrase_where(s, l->block.allocated, l->block.n_allocated);
        uint64_t most = 0;

        for (uint32_t i = 0; i < l->n_amounts; i++)
                most = l->amounts[i].bytes > most ? l->amounts[i].bytes : most;
        fputs("{\"where\": ", f);
        put_frame(f, &where);
        fprintf(f,
                ", \"least\": %" PRIu64 ", \"most\": %" PRIu64 ", \"executions\": %" PRIu64 ", \"stack\": ", l->least,
                most, leak_executions(l, 0));
        put_stack(f, s, l->block.allocated, l->block.n_allocated);
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
        for (uint32_t i = 0; i < r->n_observed; i++) {
                const struct observed *v = &r->observed[i];
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

static void put_access(FILE *f, struct symbols *s, const struct race_access *a)
{
        struct symbols_frame where = phrase_where(s, a->stack, a->n_stack);
        char text[160];

        fprintf(f, "\n       {\"thread\": %u, \"kind\": \"%s\", \"object\": ", a->actor, race_kind_name(a->kind));
        json_string(f, finding_object(text, sizeof(text), s, OP_READ, a->obj));
        fprintf(f, ", \"address\": \"0x%" PRIx64 "\", \"size\": %u, \"value\": ", a->obj, a->size);
        if (a->has_value)
                fprintf(f, "%" PRIu64, phrase_masked(a->value, a->size));
        else
                fputs("null", f);
        fputs(", \"where\": ", f);
        put_frame(f, &where);
        fputs(", \"stack\": ", f);
        put_stack(f, s, a->stack, a->n_stack);
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
                race_verdict_name(race_verdict(race, r->stats.complete)), race->candidate ? "true" : "false");
        put_access(f, s, &race->access[0]);
        fputc(',', f);
        put_access(f, s, &race->access[1]);
        fprintf(f, "],\n     \"orders\": %s, \"first_execution\": %s, \"execution\": %" PRIu64,
                orders[race->orders & 3], race->execution == 1 && !race->looked ? "true" : "false", race->execution);
        fprintf(f,
                ", \"count\": %" PRIu64 ", \"failing\": %" PRIu64 ", \"found_by\": \"%s\", \"schedule\": ", race->count,
                race->failing, race->looked ? "look" : "search");
        json_string(f, race->schedule);
        fputc('}', f);
}

static void put_figures(FILE *f, const struct stats *st)
{
        put_key(f, "executions");
        fprintf(f, "%" PRIu64, st->executions);
        put_key(f, "blocked");
        fprintf(f, "%" PRIu64, st->blocked);
        put_key(f, "classes");
        fprintf(f, "%" PRIu64, st->classes);
        put_key(f, "looked");
        fprintf(f, "%" PRIu64, st->looked);
        put_key(f, "cut");
        fprintf(f, "{\"assume\": %" PRIu64 ", \"bound\": %" PRIu64 ", \"depth\": %" PRIu64 ", \"spin\": %" PRIu64 "}",
                st->cut_assume, st->cut_bound, st->cut_depth, st->cut_spin);
        put_key(f, "events");
        fprintf(f, "%" PRIu64, st->events);
        put_key(f, "transitions");
        fprintf(f, "%" PRIu64, st->transitions);
        put_key(f, "timed_out");
        fprintf(f, "%" PRIu64, st->timed_out);
        put_key(f, "blocked_events");
        fprintf(f, "%" PRIu64, st->blocked_events);
        put_key(f, "threads");
        fprintf(f, "%u", st->threads);
        put_key(f, "restarts");
        fprintf(f, "%" PRIu64, st->restarts);
        put_key(f, "seconds");
        json_double(f, st->seconds);
        put_key(f, "per_second");
        json_double(f, st->seconds > 0 ? (double)st->executions / st->seconds : 0);
        put_key(f, "estimate");
        if (st->complete || st->share <= 0) {
                fputs("{\"executions\": null, \"seconds\": null}", f);
                return;
        }
        fputs("{\"executions\": ", f);
        json_guess(f, st->expected_executions, 0);
        fputs(", \"seconds\": ", f);
        json_guess(f, st->expected_seconds, 6);
        fputs(", \"share\": ", f);
        json_double(f, st->share);
        if (st->share_bound)
                fprintf(f, ", \"preemptions\": %u", st->share_bound - 1);
        fputc('}', f);
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
        if (r->stats.proven)
                fprintf(f, "%u", r->stats.proven - 1);
        else
                fputs("null", f);
        fputs(", \"words\": ", f);
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
        for (uint32_t i = 0; i < r->n_modules; i++) {
                enum watched watched = watched_module(r->modules[i].path);
                if (watched == WATCHED_OWN)
                        continue;
                fprintf(f, "%s{\"path\": ", sep);
                json_string(f, r->modules[i].path);
                fprintf(f, ", \"watched\": \"%s\"}", words[watched]);
                sep = ", ";
        }
        fputc(']', f);
}

static void put_assumed(FILE *f, const struct result *r)
{
        put_key(f, "assumed");
        fputc('[', f);
        for (uint32_t i = 0; i < r->n_assumed; i++) {
                fputs(i ? ", " : "", f);
                json_string(f, r->assumed[i]);
        }
        if (r->unfiltered)
                fprintf(f, "%s\"what is opened while it runs\"", r->n_assumed ? ", " : "");
        fputc(']', f);
}

/* The sets of preemption points of --strategy deepen. */
static void put_sets(FILE *f, const struct result *r, struct symbols *s)
{
        put_key(f, "sets");
        fputc('[', f);
        for (uint32_t i = 0; i < r->n_sets; i++) {
                const struct point_set_told *p = &r->sets[i];
                fprintf(f,
                        "%s\n    {\"state\": \"%s\", \"maximal\": %s, \"acquire\": %s, \"release\": %s, "
                        "\"executions\": %" PRIu64 ", \"seconds\": ",
                        i ? "," : "", point_set_state_name(p->state), p->maximal ? "true" : "false",
                        p->classes & WIRE_POINT_ACQUIRE ? "true" : "false",
                        p->classes & WIRE_POINT_RELEASE ? "true" : "false", p->executions);
                json_double(f, p->seconds);
                fputs(", \"races\": [", f);
                for (uint32_t k = 0; k < p->n_sites; k++) {
                        struct symbols_frame at = symbols_place(s, p->sites[k]);
                        fputs(k ? ", " : "", f);
                        put_frame(f, &at);
                }
                fputs("]}", f);
        }
        fputc(']', f);
}

/* What was left out by request, and loops in which threads wait for others. */
static void put_hints(FILE *f, const struct result *r, struct symbols *s)
{
        put_key(f, "left_out");
        fputc('[', f);
        for (uint32_t i = 0; i < r->n_left_out; i++) {
                fputs(i ? ", " : "", f);
                json_string(f, r->left_out[i]);
        }
        fputc(']', f);
        put_key(f, "busy_waits");
        fputc('[', f);
        for (uint32_t i = 0; i < r->n_busy; i++) {
                struct symbols_frame at = symbols_place(s, r->busy[i]);
                fputs(i ? ", " : "", f);
                put_frame(f, &at);
        }
        fputc(']', f);
}

static void put_head(FILE *f, const struct report_info *info, const struct result *r, struct symbols *s)
{
        fputs("{\n  \"heddle\": ", f);
        json_string(f, info->version);
        put_key(f, "program");
        json_string(f, info->program);
        put_key(f, "verdict");
        json_string(f, phrase_verdict(r));
        put_key(f, "complete");
        fputs(r->stats.complete ? "true" : "false", f);
        put_key(f, "why_incomplete");
        json_string(f, r->stats.complete ? NULL : r->stats.why_incomplete);
        put_key(f, "strategy");
        json_string(f, info->strategy);
        put_key(f, "memory");
        json_string(f, info->memory);
        put_key(f, "preempt");
        json_string(f, info->preempt);
        put_sets(f, r, s);
        put_hints(f, r, s);
        put_key(f, "instrumented");
        fputs(r->instrumented ? "true" : "false", f);
        put_modules(f, r);
        put_assumed(f, r);
        put_key(f, "isolation");
        fprintf(f, "{\"mode\": \"%s\", \"why\": ", r->forked ? "fork" : "snapshot");
        json_string(f, r->isolation[0] ? r->isolation : NULL);
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
        put_key(f, "failures");
        fputc('[', f);
        for (uint32_t i = 0; i < r->n_findings; i++) {
                fputs(i ? "," : "", f);
                symbols_focus(s, r->findings[i].trace);
                put_failure(f, s, &r->findings[i]);
        }
        fputc(']', f);
        if (r->n_observed) {
                put_key(f, "outcomes");
                fputc('[', f);
                for (uint32_t i = 0; i < r->n_outcomes; i++) {
                        fputs(i ? "," : "", f);
                        put_outcome(f, r, &r->outcomes[i]);
                }
                fputc(']', f);
        }
        put_leaks(f, s, r);
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
