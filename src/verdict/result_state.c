/*
 * Results in a stream.
 *
 * Invariant: whatever the stream holds, what is added to the result is sound: every trace has passed the check that
 * is between the target's memory and everything else (trace_validate), every text ends, every flag is a flag.
 */
#include "verdict/result_state.h"

#include <stdlib.h>
#include <string.h>

#include "verdict/busy_waits.h"
#include "verdict/outcome.h"
#include "verdict/printed.h"
#include "verdict/race_index.h"

#define MAX_FINDINGS 65536u
#define MAX_RACES    65536u
#define MAX_LEAKS    65536u
#define MAX_AMOUNTS  (1u << 20)
#define MAX_OUTCOMES (1u << 26)
#define MAX_TEXT     (1u << 26)

static void save_trace(const struct trace *t, struct stream *out)
{
        stream_put_array(out, t->events, t->n_events, sizeof *t->events);
        stream_put_array(out, t->threads, t->n_threads, sizeof *t->threads);
        stream_put_array(out, t->failures, t->n_failures, sizeof *t->failures);
        stream_put_array(out, t->modules, t->n_modules, sizeof *t->modules);
        stream_put_array(out, t->names, t->n_names, sizeof *t->names);
        stream_put_array(out, t->frames, t->n_frames, sizeof *t->frames);
        stream_put_array(out, t->stacks, t->n_frames ? t->n_events : 0, sizeof *t->stacks);
        stream_put_u32(out, t->n_transitions);
        stream_put_u32(out, t->end);
        stream_put_u32(out, t->step);
        stream_put_u32(out, (uint32_t)t->exit_status);
        stream_put_text(out, t->text);
}

static struct trace *load_trace(struct stream *in)
{
        struct trace t = {0}, *copy = NULL;
        const char *why;
        void *events = stream_get_array(in, WIRE_MAX_EVENTS, sizeof *t.events, &t.n_events);
        void *threads = stream_get_array(in, WIRE_MAX_THREADS, sizeof *t.threads, &t.n_threads);
        void *failures = stream_get_array(in, WIRE_MAX_FAILURES, sizeof *t.failures, &t.n_failures);
        void *modules = stream_get_array(in, WIRE_MAX_MODULES, sizeof *t.modules, &t.n_modules);
        void *names = stream_get_array(in, WIRE_MAX_THREADS, sizeof *t.names, &t.n_names);
        void *frames = stream_get_array(in, WIRE_MAX_FRAMES, sizeof *t.frames, &t.n_frames);
        uint32_t n_stacks;
        void *stacks = stream_get_array(in, WIRE_MAX_EVENTS, sizeof *t.stacks, &n_stacks);
        char *text;

        t.events = events;
        t.threads = threads;
        t.failures = failures;
        t.modules = modules;
        t.names = names;
        t.frames = frames;
        t.stacks = stacks;
        t.n_transitions = stream_get_u32(in);
        t.end = stream_get_u32(in);
        t.step = stream_get_u32(in);
        t.exit_status = (int32_t)stream_get_u32(in);
        t.text = text = stream_get_text(in, WIRE_TEXT);
        if (!in->failed && n_stacks == (t.n_frames ? t.n_events : 0) && !trace_validate(&t, 0, &why))
                copy = trace_copy(&t);
        free(events);
        free(threads);
        free(failures);
        free(modules);
        free(names);
        free(frames);
        free(stacks);
        free(text);
        return copy;
}

static void save_finding(const struct finding *f, struct stream *out)
{
        stream_put_u32(out, f->kind);
        stream_put_u64(out, f->key);
        stream_put_u64(out, f->count);
        stream_put_u64(out, f->execution);
        stream_put_u32(out, f->failure);
        stream_put_u32(out, f->preemptions);
        stream_put_u32(out, f->by_probe);
        stream_put_text(out, f->schedule);
        save_trace(f->trace, out);
}

static int add_finding(struct result *r, struct finding *f)
{
        struct finding *all;

        for (uint32_t i = 0; i < r->n_findings; i++)
                if (r->findings[i].kind == f->kind && r->findings[i].key == f->key) {
                        r->findings[i].count += f->count;
                        free(f->schedule);
                        free(f->trace);
                        return 0;
                }
        all = realloc(r->findings, (r->n_findings + 1) * sizeof *all);
        if (!all)
                return -1;
        r->findings = all;
        all[r->n_findings++] = *f;
        return 0;
}

/* 0, or -1: then *f owns nothing. */
static int load_finding(struct stream *in, struct finding *f)
{
        *f = (struct finding){.kind = stream_get_max(in, FINDING_KINDS - 1)};
        f->key = stream_get_u64(in);
        f->count = stream_get_u64(in);
        f->execution = stream_get_u64(in);
        f->failure = stream_get_u32(in);
        f->preemptions = stream_get_u32(in);
        f->by_probe = stream_get_max(in, 1);
        f->schedule = stream_get_text(in, MAX_TEXT);
        f->trace = load_trace(in);
        if (f->schedule && f->trace && (f->kind != FINDING_LEAK || f->failure < f->trace->n_failures))
                return 0;
        free(f->schedule);
        free(f->trace);
        *f = (struct finding){0};
        return -1;
}

static int merge_finding(struct result *r, struct stream *in)
{
        struct finding f;

        if (load_finding(in, &f))
                return -1;
        if (!add_finding(r, &f))
                return 0;
        free(f.schedule);
        free(f.trace);
        return -1;
}

static int merge_outcome(struct result *r, struct stream *in)
{
        uint64_t executions = stream_get_u64(in);
        uint32_t n;
        uint64_t *values = stream_get_array(in, r->facts.n_observed, sizeof *values, &n);
        char *schedule = stream_get_text(in, MAX_TEXT);
        struct outcome *o = schedule && n == r->facts.n_observed && n ? outcome_get(r, values) : NULL;

        free(values);
        if (!o) {
                free(schedule);
                return -1;
        }
        o->executions += executions;
        if (o->schedule)
                free(schedule);
        else
                o->schedule = schedule;
        return 0;
}

static void save_printed(const struct printed *o, struct stream *out)
{
        stream_put_u64(out, o->hash);
        stream_put_u64(out, o->bytes);
        stream_put_u64(out, o->executions);
        stream_put_u32(out, (uint32_t)o->status);
        stream_put_text(out, o->text);
        stream_put_text(out, o->schedule);
}

static int merge_printed(struct result *r, struct stream *in)
{
        struct printed o = {.hash = stream_get_u64(in)};

        o.bytes = stream_get_u64(in);
        o.executions = stream_get_u64(in);
        o.status = (int32_t)stream_get_u32(in);
        o.text = stream_get_text(in, PRINTED_TEXT + 1);
        o.schedule = stream_get_text(in, MAX_TEXT);
        return in->failed || printed_merge(r, &o) ? -1 : 0;
}

static void save_race(const struct race *r, struct stream *out)
{
        struct race flat = *r;

        flat.schedule = NULL;
        stream_put(out, &flat, sizeof flat);
        stream_put_text(out, r->schedule);
}

static bool sane_access(const struct race_access *a)
{
        return a->actor < WIRE_MAX_THREADS && a->kind < RACE_KINDS && a->has_value <= 1 && a->size <= 1u << 30 &&
               a->n_locks <= RACE_MAX_LOCKS && a->n_stack <= WIRE_MAX_STACK &&
               (!a->block.n_allocated || wire_block_sane(&a->block));
}

static bool sane_race(const struct race *r)
{
        unsigned char flags[5];

        memcpy(&flags[0], &r->by_probe, 1);
        memcpy(&flags[1], &r->candidate, 1);
        memcpy(&flags[2], &r->points, 1);
        memcpy(&flags[3], &r->partial, 1);
        memcpy(&flags[4], &r->unsure, 1);
        return sane_access(&r->access[0]) && sane_access(&r->access[1]) &&
               (flags[0] | flags[1] | flags[2] | flags[3] | flags[4]) <= 1 &&
               r->orders <= (RACE_FORWARD | RACE_BACKWARD) && (r->first == RACE_FORWARD || r->first == RACE_BACKWARD);
}

static int merge_race(struct result *r, struct stream *in)
{
        struct race race, *known;

        stream_get(in, &race, sizeof race);
        race.schedule = stream_get_text(in, MAX_TEXT);
        if (in->failed || !race.schedule || !sane_race(&race))
                goto bad;
        race.partial = true;
        known = race_table_find(r, &race);
        if (known) {
                race_merge(known, &race);
                free(race.schedule);
                return 0;
        }
        if (race_table_add(r, &race))
                return 0;
bad:
        free(race.schedule);
        return -1;
}

static void save_leak(const struct leak *l, struct stream *out)
{
        stream_put_u64(out, l->key);
        stream_put_u64(out, l->least);
        stream_put_u32(out, l->blocks);
        stream_put(out, &l->block, sizeof l->block);
        stream_put_array(out, l->amounts, l->n_amounts, sizeof *l->amounts);
        stream_put_u32(out, l->held != NULL);
        if (l->held)
                save_finding(l->held, out);
}

static struct leak *leak_get(struct result *r, uint64_t key)
{
        struct leak *all;

        for (uint32_t i = 0; i < r->n_leaks; i++)
                if (r->leaks[i].key == key)
                        return &r->leaks[i];
        all = realloc(r->leaks, (r->n_leaks + 1) * sizeof *all);
        if (!all)
                return NULL;
        r->leaks = all;
        all[r->n_leaks] = (struct leak){.key = key, .least = r->leaks_known ? 0 : UINT64_MAX};
        return &all[r->n_leaks++];
}

static int merge_leak(struct result *r, struct stream *in)
{
        struct leak from = {.key = stream_get_u64(in)}, *l;
        struct finding f = {0};
        int bad = -1;

        from.least = stream_get_u64(in);
        from.blocks = stream_get_u32(in);
        stream_get(in, &from.block, sizeof from.block);
        from.amounts = stream_get_array(in, MAX_AMOUNTS, sizeof *from.amounts, &from.n_amounts);
        if (stream_get_max(in, 1) && load_finding(in, &f))
                goto out;
        l = in->failed || !wire_block_sane(&from.block) ? NULL : leak_get(r, from.key);
        if (!l)
                goto out;
        l->least = from.least < l->least ? from.least : l->least;
        if (!l->block.n_allocated) {
                l->block = from.block;
                l->blocks = from.blocks;
        }
        for (uint32_t i = 0; i < from.n_amounts; i++)
                if (leak_add(l, from.amounts[i].bytes, from.amounts[i].executions))
                        goto out;
        if (f.kind == FINDING_LEAK && f.trace && !l->held && (l->held = malloc(sizeof f))) {
                *l->held = f;
                f = (struct finding){0};
        }
        l->merged = true;
        bad = 0;
out:
        free(from.amounts);
        free(f.schedule);
        free(f.trace);
        return bad;
}

/* What the one has and the other has not was not lost in the executions of the other. */
static int merge_leaks(struct result *r, struct stream *in)
{
        uint64_t known = stream_get_u64(in);
        uint32_t n = stream_get_max(in, MAX_LEAKS);

        for (uint32_t i = 0; i < r->n_leaks; i++)
                r->leaks[i].merged = false;
        for (uint32_t i = 0; i < n; i++)
                if (merge_leak(r, in))
                        return -1;
        for (uint32_t i = 0; i < r->n_leaks; i++)
                if (known && !r->leaks[i].merged)
                        r->leaks[i].least = 0;
        r->leaks_known += known;
        return 0;
}

static void stats_add(struct stats *to, const struct stats *from)
{
        to->executions += from->executions;
        to->blocked += from->blocked;
        to->probes += from->probes;
        to->counts_values |= from->counts_values;
        to->value_classes += from->value_classes;
        to->queries += from->queries;
        to->smt_queries += from->smt_queries;
        to->reads += from->reads;
        to->query_seconds += from->query_seconds;
        to->predicts |= from->predicts;
        prediction_add(&to->prediction, &from->prediction);
        to->proven = from->proven > to->proven ? from->proven : to->proven;
        to->fair_limit = from->fair_limit > to->fair_limit ? from->fair_limit : to->fair_limit;
        to->rounds = from->rounds > to->rounds ? from->rounds : to->rounds;
        to->timed_out += from->timed_out;
        to->cut_assume += from->cut_assume;
        to->cut_bound += from->cut_bound;
        to->cut_depth += from->cut_depth;
        to->cut_spin += from->cut_spin;
        to->events += from->events;
        to->transitions += from->transitions;
        to->blocked_events += from->blocked_events;
        to->restarts += from->restarts;
        for (uint32_t i = 0; i < FINDING_KINDS; i++)
                to->ignored[i] += from->ignored[i];
        to->seconds += from->seconds;
        to->threads = from->threads > to->threads ? from->threads : to->threads;
        reasons_merge(&to->reasons, &from->reasons);
        to->complete = to->complete && from->complete && !to->reasons.set;
}

static int merge_stats(struct stats *to, struct stream *in)
{
        struct stats from;
        unsigned char complete;

        stream_get(in, &from, sizeof from);
        memcpy(&complete, &from.complete, 1);
        if (in->failed || complete > 1 || !(from.seconds >= 0 && from.seconds < 1e12))
                return -1;
        stats_add(to, &from);
        return 0;
}

void result_save(const struct result *r, struct stream *out)
{
        stream_put(out, &r->stats, sizeof r->stats);
        stream_put_u32(out, r->n_findings);
        for (uint32_t i = 0; i < r->n_findings; i++)
                save_finding(&r->findings[i], out);
        stream_put_u32(out, r->n_outcomes);
        for (uint32_t i = 0; i < r->n_outcomes; i++) {
                stream_put_u64(out, r->outcomes[i].executions);
                stream_put_array(out, r->outcomes[i].values, r->facts.n_observed, sizeof *r->outcomes[i].values);
                stream_put_text(out, r->outcomes[i].schedule);
        }
        stream_put_u32(out, r->printed_all);
        stream_put_u32(out, r->n_printed);
        for (uint32_t i = 0; i < r->n_printed; i++)
                save_printed(&r->printed[i], out);
        stream_put_u32(out, r->n_races);
        for (uint32_t i = 0; i < r->n_races; i++)
                save_race(&r->races[i], out);
        stream_put_array(out, r->busy, r->n_busy, sizeof *r->busy);
        stream_put_array(out, r->begun.at, r->begun.n, sizeof *r->begun.at);
        stream_put_array(out, r->committed.at, r->committed.n, sizeof *r->committed.at);
        stream_put_u64(out, r->leaks_known);
        stream_put_u32(out, r->n_leaks);
        for (uint32_t i = 0; i < r->n_leaks; i++)
                save_leak(&r->leaks[i], out);
}

static void merge_sites(struct result_sites *s, struct stream *in)
{
        struct result_sites more = {.n = stream_get_count(in, RESULT_MAX_TXNS, sizeof *more.at)};

        stream_get(in, more.at, more.n * sizeof *more.at);
        for (uint32_t i = 0; i < more.n && !in->failed; i++)
                hints_add(s, more.at[i]);
}

static void merge_busy(struct result *r, struct stream *in)
{
        uint64_t busy[RESULT_MAX_BUSY];
        uint32_t n = stream_get_count(in, RESULT_MAX_BUSY, sizeof *busy);

        stream_get(in, busy, n * sizeof *busy);
        for (uint32_t i = 0; i < n && !in->failed; i++)
                hints_busy(r, busy[i]);
        merge_sites(&r->begun, in);
        merge_sites(&r->committed, in);
}

int result_merge(struct result *r, struct stream *in)
{
        uint32_t n;

        if (merge_stats(&r->stats, in))
                return -1;
        n = stream_get_max(in, MAX_FINDINGS);
        for (uint32_t i = 0; i < n; i++)
                if (merge_finding(r, in))
                        return -1;
        n = stream_get_max(in, MAX_OUTCOMES);
        for (uint32_t i = 0; i < n; i++)
                if (merge_outcome(r, in))
                        return -1;
        r->printed_all |= stream_get_max(in, 1) != 0;
        n = stream_get_max(in, PRINTED_MAX);
        for (uint32_t i = 0; i < n; i++)
                if (merge_printed(r, in))
                        return -1;
        n = stream_get_max(in, MAX_RACES);
        for (uint32_t i = 0; i < n; i++)
                if (merge_race(r, in))
                        return -1;
        merge_busy(r, in);
        if (merge_leaks(r, in))
                return -1;
        return in->failed ? -1 : 0;
}
