/*
 * The judge: turns ends of executions into findings and outcomes.
 *
 * A failure is recorded once, with the trace of its first execution, run again in detail (values, call stacks); later
 * executions that show it are counted.  Two failures are the same when finding_key() says so.
 */
#include "verdict/verdict.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/observers.h"
#include "verdict/leak_table.h"
#include "engine/loop.h"
#include "verdict/outcome.h"
#include "verdict/race_table.h"
#include "op/op.h"
#include "trace/schedule.h"
#include "trace/waits.h"
#include "binary/instrumentation.h"

static int no_memory(struct session *s)
{
        snprintf(s->why, 512, "out of memory");
        return SESSION_FAIL;
}

static void finding_fini(struct finding *f)
{
        free(f->schedule);
        free(f->trace);
}

static struct finding *find(struct result *r, enum finding_kind kind, uint64_t key)
{
        for (uint32_t i = 0; i < r->n_findings; i++)
                if (r->findings[i].kind == kind && r->findings[i].key == key)
                        return &r->findings[i];
        return NULL;
}

/* Is it one of the target's failures, with a place in the execution? */
static bool placed(const struct trace *t, uint32_t failure)
{
        return failure < t->n_failures && t->failures[failure].kind != WIRE_FAIL_STARVED &&
               t->failures[failure].kind != WIRE_FAIL_LEAK;
}

uint32_t judge_upto(const struct trace *t, uint32_t failure)
{
        return placed(t, failure) ? t->failures[failure].event : t->n_events;
}

/* Where a store that reaches memory makes it a failure, the last turn is that of its buffer. */
char *judge_text(const struct session *s, const struct trace *t, uint32_t failure)
{
        uint32_t upto = judge_upto(t, failure);
        bool flush = upto && trace_is_buffer(t, t->events[upto - 1].actor);

        return session_text(s, t, upto, placed(t, failure) && !flush ? t->failures[failure].actor : WIRE_NO_ACTOR,
                            true);
}

/* The failures of a trace with room for one that the target does not know of: its place.  The trace is to be put back. */
static uint32_t make_room(struct trace *t, struct wire_failure room[WIRE_MAX_FAILURES])
{
        uint32_t n = t->n_failures < WIRE_MAX_FAILURES ? t->n_failures : WIRE_MAX_FAILURES - 1;

        memcpy(room, t->failures, n * sizeof *room);
        t->failures = room;
        t->n_failures = n + 1;
        return n;
}

static enum judge_answer shows_leak(struct session *s, uint64_t key, struct wire_failure *room, uint32_t *failure)
{
        struct trace was = s->trace;
        uint32_t n = make_room(&s->trace, room);
        bool alike = false;

        for (uint32_t k = 0; leaks_failure(s, k, &room[n]); k++) {
                if (!leaks_fails(s, &room[n]))
                        continue;
                *failure = n;
                alike = true;
                if (finding_key(FINDING_LEAK, &s->trace, n) == key)
                        return JUDGE_SAME;
        }
        s->trace = was;
        return alike ? JUDGE_ALIKE : JUDGE_NO;
}

static enum judge_answer shows_race(struct session *s, uint64_t key, struct wire_failure *room, uint32_t *failure)
{
        struct trace was = s->trace;
        uint32_t n, k = 0;
        bool fresh;

        if (races_look(s, &fresh) != SESSION_OK)
                return JUDGE_NO;
        n = make_room(&s->trace, room);
        for (; races_failure(s, k, &room[n]); k++) {
                *failure = n;
                if (finding_key(FINDING_RACE, &s->trace, n) == key)
                        return JUDGE_SAME;
        }
        s->trace = was;
        return k ? JUDGE_ALIKE : JUDGE_NO;
}

enum judge_answer judge_shows(struct session *s, enum finding_kind kind, uint64_t key,
                              struct wire_failure room[WIRE_MAX_FAILURES], uint32_t *failure)
{
        enum judge_answer answer = JUDGE_NO;
        enum finding_kind found;

        if (kind == FINDING_RACE)
                return shows_race(s, key, room, failure);
        if (kind == FINDING_LEAK)
                return shows_leak(s, key, room, failure);
        for (const struct observer *const *o = observers; *o; o++)
                for (uint32_t k = 0; (*o)->find(&s->trace, k, &found, failure); k++) {
                        if (found == kind && finding_key(kind, &s->trace, *failure) == key)
                                return JUDGE_SAME;
                        if (found == kind)
                                answer = JUDGE_ALIKE;
                }
        return answer;
}

/* Is there an endless loop in it?  Then to run it again takes as long, and tells nothing new. */
static bool loops(const struct trace *t)
{
        for (uint32_t i = 0; i < t->n_failures; i++)
                if (t->failures[i].kind == WIRE_FAIL_LOOP)
                        return true;
        return false;
}

/* The same execution once more, with all that a report wants to show; without it when that does not work out, or when
 * the user wants to stop: then *plain, the trace as it was, is what there is. */
static int run_detailed(struct session *s, enum finding_kind kind, struct trace **plain)
{
        uint32_t end = s->trace.end, n_failures = s->trace.n_failures;
        int r;

        *plain = NULL;
        if (loops(&s->trace) || kind == FINDING_NONDETERMINISM)
                return SESSION_OK;
        *plain = trace_copy(&s->trace);
        if (!*plain)
                return no_memory(s);
        r = session_run(s, WIRE_DETAIL, 0);
        if (r == SESSION_OK && (s->trace.end != end || s->trace.n_failures != n_failures))
                r = session_run(s, 0, 0);
        if (r == SESSION_OK) {
                free(*plain);
                *plain = NULL;
                return SESSION_OK;
        }
        s->trace = **plain;
        return r < 0 || r == SESSION_GREW ? r : SESSION_OK;
}

static int make_finding(struct session *s, enum finding_kind kind, uint64_t key, uint32_t failure, struct finding *f)
{
        struct result *r = s->result;

        *f = (struct finding){.kind = kind, .key = key, .failure = failure};
        f->looked = s->looking;
        f->execution = r->stats.executions + (s->looking ? r->stats.looked : 0);
        f->preemptions = schedule_preemptions(&s->trace);
        f->schedule = judge_text(s, &s->trace, failure);
        f->trace = trace_copy(&s->trace);
        if (!f->schedule || !f->trace) {
                finding_fini(f);
                return no_memory(s);
        }
        return SESSION_OK;
}

static int add_finding(struct session *s, enum finding_kind kind, uint64_t key, uint32_t failure)
{
        struct result *r = s->result;
        struct finding *all = realloc(r->findings, (r->n_findings + 1) * sizeof *all);
        int e;

        if (!all)
                return no_memory(s);
        r->findings = all;
        e = make_finding(s, kind, key, failure, &all[r->n_findings]);
        r->n_findings += e == SESSION_OK;
        return e;
}

/* What is judged, and how. */
struct hearing {
        struct trace *plain; /* owned; the trace under judgement, if it is no longer in the wire */
        bool detailed;       /* it was recorded in detail, or that was tried */
        bool leaks;          /* what it loses is a failure */
        bool redundant;      /* the execution that it shows has been counted, or will be */
        uint32_t ignored;    /* kinds of failures that it showed and that do not count */
};

/* A loop in code whose accesses are not watched may wait for something: that it does not end is not known.  Code of libc counts
 * as the program's, which called it. */
static bool is_unwatched_loop(struct session *s, uint32_t failure)
{
        uint64_t site = s->trace.failures[failure].site;
        const char *path = symbols_module(s->symbols, site);
        enum watched watched = path ? watched_module(path) : WATCHED_SYSTEM;

        if (watched == WATCHED_ACCESSES)
                return s->unwatched.set != 0;
        return watched == WATCHED_CALLS || !s->config->instrumented;
}

static void record_loop(struct session *s, uint32_t failure)
{
        struct symbols_frame at = symbols_place(s->symbols, s->trace.failures[failure].site);
        char text[WIRE_TEXT];

        snprintf(text, sizeof text, "%.120s()%s%.80s", at.function ? at.function : "a function without a name",
                 at.file ? " " : "", at.file ? at.file : "");
        loop_incomplete(&s->result->stats, REASON_LOOP, text);
        s->stopped = true;
}

static int record(struct session *s, enum finding_kind kind, uint32_t failure, struct hearing *h)
{
        if (kind == FINDING_INFINITE_LOOP && is_unwatched_loop(s, failure)) {
                record_loop(s, failure);
                return SESSION_OK;
        }

        uint64_t key = finding_key(kind, &s->trace, failure);
        struct finding *f = find(s->result, kind, key);
        int e;

        if (s->config->ignored >> kind & 1) {
                h->ignored |= 1u << kind;
                return SESSION_OK;
        }
        s->failed = true;
        if (!f) {
                if (!h->detailed && (e = run_detailed(s, kind, &h->plain)) != SESSION_OK)
                        return e;
                h->detailed = true;
                e = add_finding(s, kind, key, failure);
                if (e != SESSION_OK)
                        return e;
                f = &s->result->findings[s->result->n_findings - 1];
        }
        f->count += !h->redundant && !s->looking;
        return SESSION_OK;
}

/* --fail-on race: each race of the execution is a failure of it, beside the others. */
static int fail_races(struct session *s, struct hearing *h)
{
        struct wire_failure all[WIRE_MAX_FAILURES];
        struct trace was = s->trace;
        uint32_t n = make_room(&s->trace, all);
        int e = SESSION_OK;

        for (uint32_t k = 0; e == SESSION_OK && races_failure(s, k, &all[n]); k++)
                e = record(s, FINDING_RACE, n, h);
        s->trace = was;
        return e;
}

static int judge_races(struct session *s, struct hearing *h)
{
        bool fresh;
        int e = races_look(s, &fresh);

        if (e == SESSION_OK && fresh && !h->detailed) {
                e = run_detailed(s, FINDING_RACE, &h->plain);
                h->detailed = true;
        }
        if (e == SESSION_OK)
                e = races_note(s, false, h->leaks);
        return e == SESSION_OK && s->config->fail_on == FAIL_ON_RACE ? fail_races(s, h) : e;
}

/* A leak that is no failure so far: the first execution that shows it is kept. */
static int hold_leak(struct session *s, uint32_t failure)
{
        struct leak *l = leaks_find(s, &s->trace.failures[failure].block);
        int e;

        if (!l || l->held || find(s->result, FINDING_LEAK, finding_key(FINDING_LEAK, &s->trace, failure)))
                return SESSION_OK;
        l->held = malloc(sizeof *l->held);
        if (!l->held)
                return no_memory(s);
        e = make_finding(s, FINDING_LEAK, finding_key(FINDING_LEAK, &s->trace, failure), failure, l->held);
        if (e != SESSION_OK) {
                free(l->held);
                l->held = NULL;
        }
        return e;
}

/* --ignore-failures leak: they are counted, and none is kept. */
static int ignore_leaks(struct session *s, struct hearing *h)
{
        struct wire_failure f;
        int e = leaks_note(s);

        for (uint32_t k = 0; e == SESSION_OK && leaks_failure(s, k, &f); k++)
                if (leaks_fails(s, &f))
                        h->ignored |= 1u << FINDING_LEAK;
        return e;
}

static int judge_leaks(struct session *s, struct hearing *h)
{
        struct wire_failure all[WIRE_MAX_FAILURES];
        struct trace was;
        uint32_t n, known;
        int e;

        if (s->config->ignored >> FINDING_LEAK & 1)
                return ignore_leaks(s, h);
        e = leaks_note(s);
        if (e == SESSION_OK && !h->detailed && leaks_fresh(s)) {
                e = run_detailed(s, FINDING_LEAK, &h->plain);
                h->detailed = true;
        }
        was = s->trace;
        n = make_room(&s->trace, all);
        for (uint32_t k = 0; e == SESSION_OK && leaks_failure(s, k, &all[n]); k++) {
                bool fails = leaks_fails(s, &all[n]);

                h->leaks |= fails;
                e = fails ? record(s, FINDING_LEAK, n, h) : hold_leak(s, n);
        }
        s->trace = was;
        known = s->result->n_findings;
        if (e == SESSION_OK && leaks_settle(s->result, s->config->leaks == LEAKS_ALL))
                return no_memory(s);
        for (; known < s->result->n_findings; known++)
                races_blame(s, &s->result->findings[known]);
        return e;
}

/* A new failure, which ended its execution: which races the rest of it would have shown.  What came too late to keep it
 * from failing races with what came too early. */
static int judge_rest(struct session *s)
{
        bool fresh;
        int e;

        if (s->config->keep_going || s->config->ignored || s->config->races == RACES_OFF || s->config->replay ||
            s->trace.end != WIRE_END_FAILED || loops(&s->trace))
                return SESSION_OK;
        e = session_run(s, WIRE_KEEP_GOING | WIRE_DETAIL, 0);
        if (e != SESSION_OK)
                return e < 0 ? e : SESSION_OK;
        e = races_look(s, &fresh);
        return e == SESSION_OK ? races_note(s, true, false) : e;
}

/* A failure that does not count has ended a thread, and with it what the observers see of the others: those that wait for
 * each other do so whatever becomes of it. */
static int judge_hidden(struct session *s, struct hearing *h)
{
        uint32_t cycle[WIRE_MAX_THREADS];

        for (uint32_t k = 0; k < FINDING_KINDS && !h->redundant && !s->looking; k++)
                s->result->stats.ignored[k] += h->ignored >> k & 1;
        if (s->trace.end != WIRE_END_FAILED || s->failed || !waits_cycle(&s->trace, cycle))
                return SESSION_OK;
        return record(s, FINDING_DEADLOCK, UINT32_MAX, h);
}

/* Recording may run the schedule again: the observers always look at the trace that is there. */
static int judge(struct session *s, bool detailed)
{
        struct hearing h = {.detailed = detailed, .redundant = s->trace.end == WIRE_END_SLEEP};
        enum finding_kind kind;
        uint32_t failure, known = s->result->n_findings;
        int e;

        s->failed = false;
        e = judge_leaks(s, &h);
        if (e == SESSION_OK)
                e = judge_races(s, &h);
        for (const struct observer *const *o = observers; *o && e == SESSION_OK; o++)
                for (uint32_t k = 0; e == SESSION_OK && (*o)->find(&s->trace, k, &kind, &failure); k++)
                        e = record(s, kind, failure, &h);
        if (e == SESSION_OK && h.ignored)
                e = judge_hidden(s, &h);
        if (e == SESSION_OK && s->result->n_findings > known)
                e = judge_rest(s);
        free(h.plain);
        return e;
}

int judge_failures(struct session *s)
{
        return judge(s, false);
}

int judge_replayed(struct session *s)
{
        return judge(s, true);
}

int judge_died(struct session *s)
{
        int signal = s->target.signal;
        struct wire_failure f = {.kind = WIRE_FAIL_CRASH, .signal = signal ? (uint32_t)signal : SIGKILL};
        struct wire_thread main_thread = {.state = WIRE_T_FAILED, .holder = WIRE_NO_ACTOR};
        struct hearing h = {.detailed = true};

        snprintf(f.text, sizeof f.text, "%.200s", s->target.why);
        s->trace = (struct trace){
                .end = WIRE_END_FAILED,
                .failures = &f,
                .n_failures = 1,
                .threads = &main_thread,
                .n_threads = 1,
                .modules = s->result->modules,
                .n_modules = s->result->n_modules,
                .text = "",
        };
        return record(s, FINDING_CRASH, 0, &h);
}

/* Outcomes. */

int judge_outcome(struct session *s)
{
        const struct trace *t = &s->trace;
        uint32_t n = s->result->n_observed, k = n;
        uint64_t values[n ? n : 1];
        struct outcome *o;

        if (!n || t->end == WIRE_END_SLEEP)
                return SESSION_OK;
        for (uint32_t i = t->n_events; i-- > 0 && k > 0;)
                if (t->events[i].op == OP_OBSERVE)
                        values[--k] = t->events[i].value;
        if (k)
                return SESSION_OK; /* it never came to main's return */
        o = outcome_get(s->result, values);
        if (!o)
                return no_memory(s);
        o->executions++;
        if (!o->schedule)
                o->schedule = session_text(s, t, t->n_events, WIRE_NO_ACTOR, false);
        return o->schedule ? SESSION_OK : no_memory(s);
}

void judge_reset(struct session *s, bool keep)
{
        struct result *r = s->result;

        for (uint32_t i = 0; i < r->n_findings; i++) {
                r->findings[i].count = 0;
                r->findings[i].looked = true;
                if (!keep)
                        finding_fini(&r->findings[i]);
        }
        r->n_findings = keep ? r->n_findings : 0;
        outcome_reset(r);
        leaks_fini(r);
        races_reset(s);
}
