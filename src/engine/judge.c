/*
 * The judge: turns verdicts into findings and outcomes.
 *
 * A failure is recorded once, with the trace of its first execution, run again in detail (values, call stacks); later
 * executions that show it are counted.  Two failures are the same when finding_key() says so.
 */
#include "engine/judge.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "binary/instrumentation.h"
#include "engine/evidence.h"
#include "trace/schedule.h"
#include "trace/waits.h"
#include "verdict/busy_waits.h"
#include "verdict/leak_table.h"
#include "verdict/outcome.h"
#include "verdict/printed.h"

/* How an execution is judged. */
struct hearing {
        bool detailed;       /* it was recorded in detail, or that was tried */
        struct trace *plain; /* owned; the trace under judgement, if it is no longer in the wire */
        bool leaks;          /* what it loses is a failure */
        bool redundant;      /* the execution that it shows has been counted, or will be */
        uint32_t ignored;    /* kinds of failures that it showed and that do not count */
};

int judge_init(struct judge *j, struct run *run, struct result *result)
{
        *j = (struct judge){.run = run, .result = result, .races = races_create(run->program, result)};
        return j->races ? (int)RUN_OK : error_memory(run->program->why);
}

void judge_fini(struct judge *j)
{
        races_destroy(j->races);
        verdict_fini(&j->verdict);
}

static int no_memory(struct judge *j)
{
        return error_memory(j->run->program->why);
}

static const struct config *config_of(const struct judge *j)
{
        return j->run->program->config;
}

static bool ignores(const struct judge *j, enum finding_kind kind)
{
        return config_of(j)->ignored >> kind & 1;
}

static bool all_leaks(const struct judge *j)
{
        return config_of(j)->leaks == LEAKS_ALL;
}

static struct finding *find(struct result *r, enum finding_kind kind, uint64_t key)
{
        for (uint32_t i = 0; i < r->n_findings; i++)
                if (r->findings[i].kind == kind && r->findings[i].key == key)
                        return &r->findings[i];
        return NULL;
}

enum verdict_answer judge_shows(struct judge *j, enum finding_kind kind, uint64_t key,
                                struct wire_failure room[WIRE_MAX_FAILURES], uint32_t *failure)
{
        struct verdict_rules rules = {.leaks = kind == FINDING_LEAK ? j->result : NULL,
                                      .all_leaks = all_leaks(j),
                                      .races = kind == FINDING_RACE ? j->races : NULL};
        enum verdict_answer answer;
        uint32_t at;
        bool fresh;

        if (kind == FINDING_RACE && races_look(j->races, &j->run->trace, &fresh) != RUN_OK)
                return VERDICT_NO;
        if (verdict_of(&j->verdict, &j->run->trace, &rules))
                return VERDICT_NO;
        answer = verdict_shows(&j->verdict, kind, key, &at);
        if (answer == VERDICT_SAME)
                *failure = verdict_place(&j->verdict, at, &j->run->trace, room);
        return answer;
}

/* A loop in code whose accesses are not watched may wait for something: that it does not end is not known.  Code of libc counts
 * as the program's, which called it. */
static bool is_unwatched_loop(const struct judge *j, uint32_t failure)
{
        const struct program *p = j->run->program;
        const char *path = symbols_module(p->symbols, j->run->trace.failures[failure].site);
        enum watched watched = path ? watched_module(path) : WATCHED_SYSTEM;

        if (watched == WATCHED_ACCESSES)
                return p->unwatched.set != 0;
        return watched == WATCHED_CALLS || !p->config->instrumented;
}

static void record_loop(struct judge *j, uint32_t failure, enum reason why)
{
        struct symbols_frame at = symbols_place(j->run->program->symbols, j->run->trace.failures[failure].site);
        char text[WIRE_TEXT];

        snprintf(text, sizeof text, "%.120s()%s%.80s", at.function ? at.function : "a function without a name",
                 at.file ? " " : "", at.file ? at.file : "");
        stats_incomplete(&j->result->stats, why, text);
        j->stopped = true;
}

static int make_finding(struct judge *j, enum finding_kind kind, uint64_t key, uint32_t failure, struct finding *f)
{
        const struct trace *t = &j->run->trace;

        *f = (struct finding){.kind = kind, .key = key, .failure = failure};
        f->by_probe = j->probe;
        f->execution = stats_number(&j->result->stats, t->end);
        f->preemptions = schedule_preemptions(t, failure, NULL);
        f->schedule = verdict_text(j->run->program, t, failure);
        f->trace = trace_copy(t);
        if (f->schedule && f->trace)
                return RUN_OK;
        finding_fini(f);
        return no_memory(j);
}

static int add_finding(struct judge *j, enum finding_kind kind, uint64_t key, uint32_t failure)
{
        struct result *r = j->result;
        struct finding *all = realloc(r->findings, (r->n_findings + 1) * sizeof *all);
        int e;

        if (!all)
                return no_memory(j);
        r->findings = all;
        e = make_finding(j, kind, key, failure, &all[r->n_findings]);
        r->n_findings += e == RUN_OK;
        return e;
}

static int record(struct judge *j, enum finding_kind kind, uint64_t key, uint32_t failure, struct hearing *h)
{
        struct finding *f;
        int e;

        if (kind == FINDING_INFINITE_LOOP && is_unwatched_loop(j, failure)) {
                record_loop(j, failure, REASON_LOOP);
                return RUN_OK;
        }
        if (kind == FINDING_INFINITE_LOOP && j->run->trace.failures[failure].addr) {
                record_loop(j, failure, REASON_COMPUTES);
                return RUN_OK;
        }
        if (ignores(j, kind)) {
                h->ignored |= 1u << kind;
                return RUN_OK;
        }
        if (config_of(j)->refuses && config_of(j)->refuses(config_of(j)->refuses_arg, kind, &j->run->trace, failure))
                return RUN_OK;
        j->failed = true;
        f = find(j->result, kind, key);
        if (!f) {
                e = add_finding(j, kind, key, failure);
                if (e != RUN_OK)
                        return e;
                f = &j->result->findings[j->result->n_findings - 1];
        }
        f->count += !h->redundant && !j->probe;
        j->shown = (uint32_t)(f - j->result->findings) + 1;
        return RUN_OK;
}

/* A leak that is not a failure so far: the first execution that shows it is kept. */
static int hold_leak(struct judge *j, uint64_t key, uint32_t failure)
{
        struct leak *l = leaks_find(j->result, &j->run->trace.failures[failure].block);
        int e;

        if (!l || l->held || find(j->result, FINDING_LEAK, key))
                return RUN_OK;
        l->held = malloc(sizeof *l->held);
        if (!l->held)
                return no_memory(j);
        e = make_finding(j, FINDING_LEAK, key, failure, l->held);
        if (e != RUN_OK) {
                free(l->held);
                l->held = NULL;
        }
        return e;
}

static int record_at(struct judge *j, uint32_t i, struct hearing *h)
{
        const struct verdict_finding *f = &j->verdict.findings.at[i];
        struct wire_failure room[WIRE_MAX_FAILURES];
        struct trace was = j->run->trace;
        uint32_t failure;
        int e = RUN_OK;

        if (f->kind == FINDING_LEAK && f->held && ignores(j, FINDING_LEAK))
                return RUN_OK;
        failure = verdict_place(&j->verdict, i, &j->run->trace, room);
        if (f->kind == FINDING_LEAK && f->held)
                e = hold_leak(j, f->key, failure);
        else
                e = record(j, f->kind, f->key, failure, h);
        h->leaks |= f->kind == FINDING_LEAK && !f->held && !ignores(j, FINDING_LEAK);
        j->run->trace = was;
        return e;
}

/* What it loses: leaks that are failures now, though an earlier execution showed them, make failures of that one's races. */
static int settle_leaks(struct judge *j)
{
        uint32_t known = j->result->n_findings, first = known;
        bool fresh;

        if (ignores(j, FINDING_LEAK))
                return RUN_OK;
        if (leaks_settle(j->result))
                return no_memory(j);
        for (; known < j->result->n_findings; known++)
                races_blame(j->races, &j->result->findings[known]);
        return known > first ? races_look(j->races, &j->run->trace, &fresh) : (int)RUN_OK;
}

/* Is there something that the result does not have? */
static bool is_fresh(const struct judge *j)
{
        if (!ignores(j, FINDING_LEAK) && leaks_fresh(j->result, all_leaks(j), &j->run->trace))
                return true;
        for (uint32_t i = 0; i < j->verdict.findings.n; i++) {
                const struct verdict_finding *f = &j->verdict.findings.at[i];
                if (!f->held && !ignores(j, f->kind) && !find(j->result, f->kind, f->key))
                        return true;
        }
        return false;
}

static int take_evidence(struct judge *j, struct hearing *h)
{
        if (h->detailed)
                return RUN_OK;
        h->detailed = true;
        return evidence_record(j->run, &h->plain);
}

/* The verdict on the trace, after it was run again in detail if that shows something new. */
static int reach_verdict(struct judge *j, struct hearing *h)
{
        struct verdict_rules rules = {.leaks = j->result,
                                      .all_leaks = all_leaks(j),
                                      .races = config_of(j)->fail_on == FAIL_ON_RACE ? j->races : NULL};
        const struct trace *t = &j->run->trace;
        bool fresh = false;
        int e;

        if (leaks_note(j->result, t))
                return no_memory(j);
        e = races_look(j->races, t, &fresh);
        if (e != RUN_OK)
                return e;
        if (verdict_of(&j->verdict, t, &rules))
                return no_memory(j);
        if (h->detailed || !(fresh || is_fresh(j)))
                return RUN_OK;
        e = take_evidence(j, h);
        if (e == RUN_OK && verdict_of(&j->verdict, t, &rules))
                return no_memory(j);
        return e;
}

/* All findings of the verdict that are leaks, or that are not. */
static int record_all(struct judge *j, bool leaks, struct hearing *h)
{
        int e = RUN_OK;

        for (uint32_t i = 0; e == RUN_OK && i < j->verdict.findings.n; i++)
                if ((j->verdict.findings.at[i].kind == FINDING_LEAK) == leaks)
                        e = record_at(j, i, h);
        return e;
}

/* A failure that does not count has ended a thread, and with it what the observers see of the others: those that wait for
 * each other do so whatever becomes of it. */
static int judge_hidden(struct judge *j, struct hearing *h)
{
        const struct trace *t = &j->run->trace;
        uint32_t cycle[WIRE_MAX_THREADS];
        uint64_t key;
        int e = RUN_OK;

        for (uint32_t k = 0; k < FINDING_KINDS && !h->redundant && !j->probe; k++)
                j->result->stats.ignored[k] += h->ignored >> k & 1;
        if (t->end != WIRE_END_FAILED || j->failed || !waits_cycle(t, cycle))
                return RUN_OK;
        key = finding_key(FINDING_DEADLOCK, t, VERDICT_NONE);
        if (!ignores(j, FINDING_DEADLOCK) && !find(j->result, FINDING_DEADLOCK, key))
                e = take_evidence(j, h);
        return e == RUN_OK ? record(j, FINDING_DEADLOCK, key, VERDICT_NONE, h) : e;
}

/* A new failure, which ended its execution: which races the rest of it would have shown.  What came too late to
 * prevent the failure races with what came too early. */
static int judge_rest(struct judge *j)
{
        bool fresh, ran;
        int e = evidence_rest(j->run, &ran);

        if (e != RUN_OK || !ran)
                return e;
        e = races_look(j->races, &j->run->trace, &fresh);
        return e == RUN_OK ? races_note(j->races, &j->run->trace, (struct races_how){.again = true, .probe = j->probe})
                           : e;
}

static int judge(struct judge *j, bool detailed)
{
        /* Where executions are cut at a depth, the one that a redundant one repeats may end before the failure. */
        bool counted = !config_of(j)->depth && !config_of(j)->thread_depth;
        struct hearing h = {.detailed = detailed, .redundant = counted && j->run->trace.end == WIRE_END_SLEEP};
        uint32_t known = j->result->n_findings;
        int e;

        j->failed = false;
        j->shown = 0;
        e = reach_verdict(j, &h);
        if (e == RUN_OK)
                e = record_all(j, true, &h);
        if (e == RUN_OK)
                e = settle_leaks(j);
        if (e == RUN_OK)
                e = races_note(j->races, &j->run->trace, (struct races_how){.fails = h.leaks, .probe = j->probe});
        if (e == RUN_OK)
                e = record_all(j, false, &h);
        if (e == RUN_OK && h.ignored)
                e = judge_hidden(j, &h);
        if (e == RUN_OK && j->result->n_findings > known)
                e = judge_rest(j);
        free(h.plain);
        return e;
}

int judge_execution(struct judge *j)
{
        int e = outcome_note(j->result, j->run->program, &j->run->trace);

        if (e == RUN_OK && j->uncounted && j->result->last_outcome)
                j->result->outcomes[j->result->last_outcome - 1].executions--;
        if (e == RUN_OK)
                e = printed_note(j->result, j->run->program, &j->run->trace);
        hints_look(j->result, &j->run->trace);
        return e == RUN_OK ? judge(j, false) : e;
}

int judge_replayed(struct judge *j)
{
        int e = outcome_note(j->result, j->run->program, &j->run->trace);

        return e == RUN_OK ? judge(j, true) : e;
}

int judge_died(struct judge *j)
{
        const struct target *t = &j->run->program->target;
        struct wire_failure f = {.kind = WIRE_FAIL_CRASH, .signal = t->signal ? (uint32_t)t->signal : SIGKILL};
        struct wire_thread main_thread = {.state = WIRE_T_FAILED, .holder = WIRE_NO_ACTOR};
        struct hearing h = {.detailed = true};
        int e;

        snprintf(f.text, sizeof f.text, "%.200s", t->why.text);
        j->run->trace = (struct trace){
                .end = WIRE_END_FAILED,
                .failures = &f,
                .n_failures = 1,
                .threads = &main_thread,
                .n_threads = 1,
                .modules = j->result->facts.modules,
                .n_modules = j->result->facts.n_modules,
                .text = "",
        };
        e = record(j, FINDING_CRASH, finding_key(FINDING_CRASH, &j->run->trace, 0), 0, &h);
        j->run->trace.n_failures = j->run->trace.n_threads = 0; /* they were here */
        return e;
}

void judge_reset(struct judge *j, bool keep)
{
        struct result *r = j->result;

        for (uint32_t i = 0; i < r->n_findings; i++) {
                r->findings[i].count = 0;
                r->findings[i].by_probe = true;
                if (!keep)
                        finding_fini(&r->findings[i]);
        }
        r->n_findings = keep ? r->n_findings : 0;
        result_drop_outcomes(r);
        result_drop_printed(r);
        result_drop_leaks(r);
        races_reset(j->races);
        j->n_raced = 0;
}
