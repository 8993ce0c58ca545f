/*
 * The verdict on one trace.
 *
 * Leaks and races are not among the failures that the target reports: whether a leak is one depends on other executions, and
 * races are found here.  They are made into failures of the same form.
 */
#include "verdict/verdict.h"

#include <string.h>

#include "analysis/observers.h"
#include "verdict/leak_table.h"

static int add(struct verdict *v, enum finding_kind kind, uint64_t key, uint32_t failure, uint32_t made, bool held)
{
        if (!vec_reserve(&v->findings, 1))
                return -1;
        *vec_push(&v->findings) =
                (struct verdict_finding){.kind = kind, .key = key, .failure = failure, .made = made, .held = held};
        return 0;
}

/* The last one of `made`. */
static int add_made(struct verdict *v, enum finding_kind kind, bool held)
{
        struct trace alone = {.failures = &v->made.at[v->made.n - 1], .n_failures = 1};

        return add(v, kind, finding_key(kind, &alone, 0), VERDICT_NONE, v->made.n - 1, held);
}

static int add_leaks(struct verdict *v, const struct trace *t, const struct verdict_rules *rules)
{
        struct wire_failure f;

        for (uint32_t k = 0; leaks_failure(t, k, &f); k++) {
                if (!vec_reserve(&v->made, 1))
                        return -1;
                *vec_push(&v->made) = f;
                if (add_made(v, FINDING_LEAK, !leaks_fails(rules->leaks, rules->all_leaks, &f)))
                        return -1;
        }
        return 0;
}

static int add_races(struct verdict *v, const struct trace *t, const struct races *races)
{
        struct wire_failure f;

        for (uint32_t k = 0; races_failure(races, t, k, &f); k++) {
                if (!vec_reserve(&v->made, 1))
                        return -1;
                *vec_push(&v->made) = f;
                if (add_made(v, FINDING_RACE, false))
                        return -1;
        }
        return 0;
}

int verdict_of(struct verdict *v, const struct trace *t, const struct verdict_rules *rules)
{
        enum finding_kind kind;
        uint32_t failure;

        v->findings.n = v->made.n = 0;
        if (rules->leaks && add_leaks(v, t, rules))
                return -1;
        if (rules->races && add_races(v, t, rules->races))
                return -1;
        for (const struct observer *const *o = observers; *o; o++)
                for (uint32_t k = 0; (*o)->find(t, k, &kind, &failure); k++)
                        if (add(v, kind, finding_key(kind, t, failure), failure, VERDICT_NONE, false))
                                return -1;
        return 0;
}

void verdict_fini(struct verdict *v)
{
        vec_fini(&v->findings);
        vec_fini(&v->made);
}

enum verdict_answer verdict_shows(const struct verdict *v, enum finding_kind kind, uint64_t key, uint32_t *at)
{
        enum verdict_answer answer = VERDICT_NO;

        for (uint32_t i = 0; i < v->findings.n; i++) {
                const struct verdict_finding *f = &v->findings.at[i];

                if (f->kind != kind || f->held)
                        continue;
                *at = i;
                if (f->key == key)
                        return VERDICT_SAME;
                answer = VERDICT_ALIKE;
        }
        return answer;
}

uint32_t verdict_place(const struct verdict *v, uint32_t at, struct trace *t,
                       struct wire_failure room[WIRE_MAX_FAILURES])
{
        const struct verdict_finding *f = &v->findings.at[at];
        uint32_t n = t->n_failures < WIRE_MAX_FAILURES ? t->n_failures : WIRE_MAX_FAILURES - 1;

        if (f->made == VERDICT_NONE)
                return f->failure;
        if (n)
                memcpy(room, t->failures, n * sizeof *room);
        room[n] = v->made.at[f->made];
        t->failures = room;
        t->n_failures = n + 1;
        return n;
}

/* Is it one of the target's failures, with a place in the execution? */
static bool placed(const struct trace *t, uint32_t failure)
{
        return failure < t->n_failures && t->failures[failure].kind != WIRE_FAIL_STARVED &&
               t->failures[failure].kind != WIRE_FAIL_LEAK;
}

uint32_t verdict_upto(const struct trace *t, uint32_t failure)
{
        return placed(t, failure) ? t->failures[failure].event : t->n_events;
}

/* Where a store that reaches memory makes it a failure, the last turn is that of its buffer. */
char *verdict_text(const struct program *p, const struct trace *t, uint32_t failure)
{
        uint32_t upto = verdict_upto(t, failure);
        bool flush = upto && trace_is_buffer(t, t->events[upto - 1].actor);

        return program_text(p, t, upto, placed(t, failure) && !flush ? t->failures[failure].actor : WIRE_NO_ACTOR,
                            true);
}

bool verdict_loops(const struct trace *t)
{
        for (uint32_t i = 0; i < t->n_failures; i++)
                if (t->failures[i].kind == WIRE_FAIL_LOOP)
                        return true;
        return false;
}
