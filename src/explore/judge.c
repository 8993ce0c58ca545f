/*
 * The judge: turns ends of executions into findings and outcomes.
 *
 * A failure is recorded once, with the trace of its first execution, run again in detail (values, call stacks); later
 * executions that show it are counted.  Two failures are the same when finding_key() says so.
 */
#include "explore/judge.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/observers.h"
#include "op/op.h"
#include "trace/schedule.h"

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

/* The schedule that shows it and nothing after it. */
static char *text_of(struct session *s, const struct trace *t, uint32_t failure)
{
        if (failure < t->n_failures)
                return schedule_encode(t, t->failures[failure].event, t->failures[failure].actor, s->fingerprint);
        return schedule_encode(t, t->n_events, WIRE_NO_ACTOR, s->fingerprint);
}

/* The same execution once more, with all that a report wants to show; without it when that does not work out. */
static int run_detailed(struct session *s, enum finding_kind kind)
{
        struct trace seen = s->trace;
        int r;

        if (kind == FINDING_INFINITE_LOOP || kind == FINDING_NONDETERMINISM)
                return SESSION_OK;
        r = session_run(s, WIRE_DETAIL, 0);
        if (r == SESSION_INTR || r < 0)
                return r;
        if (r != SESSION_OK || s->trace.end != seen.end || s->trace.n_failures != seen.n_failures) {
                r = session_run(s, 0, 0);
                if (r != SESSION_OK)
                        return r < 0 ? r : no_memory(s);
        }
        return SESSION_OK;
}

static int record(struct session *s, enum finding_kind kind, uint32_t failure, bool *detailed)
{
        struct result *r = s->result;
        uint64_t key = finding_key(kind, &s->trace, failure);
        struct finding *f = find(r, kind, key), *all;
        int e;

        if (f) {
                f->count++;
                return SESSION_OK;
        }
        if (!*detailed && (e = run_detailed(s, kind)) != SESSION_OK)
                return e;
        *detailed = true;
        all = realloc(r->findings, (r->n_findings + 1) * sizeof *all);
        if (!all)
                return no_memory(s);
        r->findings = all;
        f = &all[r->n_findings];
        *f = (struct finding){.kind = kind, .key = key, .count = 1, .failure = failure};
        f->execution = r->stats.executions;
        f->preemptions = schedule_preemptions(&s->trace);
        f->schedule = text_of(s, &s->trace, failure);
        f->trace = trace_copy(&s->trace);
        if (!f->schedule || !f->trace) {
                finding_fini(f);
                return no_memory(s);
        }
        r->n_findings++;
        return SESSION_OK;
}

/* Recording may run the schedule again: the observers always look at the trace that is there. */
static int judge(struct session *s, bool detailed)
{
        enum finding_kind kind;
        uint32_t failure;
        int e;

        for (const struct observer *const *o = observers; *o; o++)
                for (uint32_t k = 0; (*o)->find(&s->trace, k, &kind, &failure); k++) {
                        e = record(s, kind, failure, &detailed);
                        if (e != SESSION_OK)
                                return e;
                }
        return SESSION_OK;
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
        struct wire_failure f = {.kind = WIRE_FAIL_CRASH, .signal = SIGKILL};
        struct wire_thread main_thread = {.state = WIRE_T_FAILED, .holder = WIRE_NO_ACTOR};
        bool detailed = true;

        snprintf(f.text, sizeof f.text, "%.200s", s->target.why);
        s->trace = (struct trace){
                .end = WIRE_END_FAILED, .failures = &f, .n_failures = 1, .threads = &main_thread, .n_threads = 1,
                .modules = s->result->modules, .n_modules = s->result->n_modules, .text = "",
        };
        return record(s, FINDING_CRASH, 0, &detailed);
}

/* Outcomes. */

static uint64_t hash_values(const uint64_t *v, uint32_t n)
{
        uint64_t h = n;

        for (uint32_t i = 0; i < n; i++) {
                h = (h ^ v[i]) * UINT64_C(0x9fb21c651e98df25);
                h ^= h >> 29;
        }
        return h;
}

static bool grow_slots(struct session *s)
{
        uint32_t bits = s->outcome_bits ? s->outcome_bits + 1 : 8;
        uint32_t *slots = calloc((size_t)1 << bits, sizeof *slots);
        const struct result *r = s->result;

        if (!slots)
                return false;
        for (uint32_t i = 0; i < r->n_outcomes; i++) {
                uint64_t h = hash_values(r->outcomes[i].values, r->n_observed) & ((1u << bits) - 1);
                while (slots[h])
                        h = (h + 1) & ((1u << bits) - 1);
                slots[h] = i + 1;
        }
        free(s->outcome_slots);
        s->outcome_slots = slots;
        s->outcome_bits = bits;
        return true;
}

static int add_outcome(struct session *s, const uint64_t *values, uint32_t *slot)
{
        struct result *r = s->result;
        struct outcome *all = realloc(r->outcomes, (r->n_outcomes + 1) * sizeof *all), *o;

        if (!all)
                return no_memory(s);
        r->outcomes = all;
        o = &all[r->n_outcomes];
        o->executions = 1;
        o->values = malloc(r->n_observed * sizeof *o->values);
        o->schedule = schedule_encode(&s->trace, s->trace.n_events, WIRE_NO_ACTOR, s->fingerprint);
        if (!o->values || !o->schedule) {
                free(o->values);
                free(o->schedule);
                return no_memory(s);
        }
        memcpy(o->values, values, r->n_observed * sizeof *values);
        *slot = ++r->n_outcomes;
        return SESSION_OK;
}

int judge_outcome(struct session *s)
{
        const struct trace *t = &s->trace;
        struct result *r = s->result;
        uint32_t n = r->n_observed, k = n, mask;
        uint64_t values[n ? n : 1], h;

        if (!n)
                return SESSION_OK;
        for (uint32_t i = t->n_events; i-- > 0 && k > 0;)
                if (t->events[i].op == OP_OBSERVE)
                        values[--k] = t->events[i].value;
        if (k)
                return SESSION_OK; /* it never came to main's return */
        if ((!s->outcome_bits || r->n_outcomes * 2 >= 1u << s->outcome_bits) && !grow_slots(s))
                return no_memory(s);
        mask = (1u << s->outcome_bits) - 1;
        for (h = hash_values(values, n) & mask; s->outcome_slots[h]; h = (h + 1) & mask) {
                struct outcome *o = &r->outcomes[s->outcome_slots[h] - 1];
                if (!memcmp(o->values, values, n * sizeof *values)) {
                        o->executions++;
                        return SESSION_OK;
                }
        }
        return add_outcome(s, values, &s->outcome_slots[h]);
}

void judge_reset(struct session *s)
{
        struct result *r = s->result;

        for (uint32_t i = 0; i < r->n_findings; i++)
                finding_fini(&r->findings[i]);
        for (uint32_t i = 0; i < r->n_outcomes; i++) {
                free(r->outcomes[i].values);
                free(r->outcomes[i].schedule);
        }
        free(r->findings);
        free(r->outcomes);
        r->findings = NULL;
        r->outcomes = NULL;
        r->n_findings = r->n_outcomes = 0;
        free(s->outcome_slots);
        s->outcome_slots = NULL;
        s->outcome_bits = 0;
}
