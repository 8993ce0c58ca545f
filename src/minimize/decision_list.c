/*
 * Plans: taken from traces, run, compared.
 *
 * A plan ends with the transition that fails; what an execution does afterwards does not count.  A preemption is counted
 * from the sets of enabled threads, as the bounded search counts it.
 */
#include "minimize/decision_list.h"

#include <string.h>

#include "base/clock.h"
#include "verdict/verdict.h"
#include "base/deadline.h"

enum quest_answer quest_run(struct quest *q, uint32_t known, uint32_t *failure)
{
        int e;

        if (q->grew || q->broken || clock_now() >= q->until || late())
                return QUEST_STOP;
        q->runs++;
        e = run_schedule(q->run, q->flags, known);
        if (e != RUN_OK) {
                q->grew = e == RUN_GREW;
                q->broken = !q->grew;
                return QUEST_STOP;
        }
        switch (judge_shows(q->judge, q->kind, q->key, q->room, failure)) {
        case VERDICT_SAME: return QUEST_SHOWN;
        case VERDICT_ALIKE: return QUEST_ALIKE;
        default: break;
        }
        switch (q->run->trace.end) {
        case WIRE_END_SLEEP:
        case WIRE_END_ASSUME:
        case WIRE_END_CYCLE:
        case WIRE_END_CUT:
        case WIRE_END_TOGGLES:
        case WIRE_END_DIVERGED: return QUEST_CUT;
        default: return QUEST_ENDED;
        }
}

enum quest_answer quest_follow(struct quest *q, const struct wire_decision *d, uint32_t n, uint32_t hints,
                               uint32_t tail, uint64_t seed, uint32_t *failure)
{
        struct schedule *m = &q->run->schedule;

        if ((uint64_t)n + hints > WIRE_MAX_EVENTS)
                return QUEST_CUT;
        if (n + hints)
                memcpy(m->prefix, d, (size_t)(n + hints) * sizeof *d);
        m->n_prefix = n;
        m->n_hints = hints;
        m->n_sleep = 0;
        m->tail = tail;
        m->run_seed = seed;
        m->flags = WIRE_WANT_ENABLED;
        return quest_run(q, 0, failure);
}

static bool could_run(const struct trace *t, uint32_t transition, uint32_t actor)
{
        return actor / 64 < t->enabled_words &&
               t->enabled[(size_t)transition * t->enabled_words + actor / 64] >> (actor % 64) & 1;
}

bool plan_take(struct plan *p, const struct trace *t, uint32_t failure)
{
        uint32_t end = verdict_upto(t, failure), before = 0; /* the main thread runs before anything is decided */

        p->steps.n = p->preemptions = p->switches = 0;
        if (!vec_reserve(&p->steps, t->n_transitions + 1))
                return false;
        for (uint32_t i = 0; i < end && p->steps.n < t->n_transitions; i++) {
                const struct wire_event *e = &t->events[i];
                if (!(e->flags & WIRE_EV_SCHED))
                        continue;
                if (!trace_is_buffer(t, e->actor)) {
                        if (before != e->actor) {
                                p->switches++;
                                p->preemptions += t->enabled && could_run(t, p->steps.n, before);
                        }
                        before = e->actor;
                }
                *vec_push(&p->steps) = (struct wire_decision){.actor = e->actor, .op = e->op, .choice = e->choice};
        }
        return true;
}

bool plan_better(const struct plan *a, const struct plan *b)
{
        if (a->preemptions != b->preemptions)
                return a->preemptions < b->preemptions;
        if (a->switches != b->switches)
                return a->switches < b->switches;
        return a->steps.n < b->steps.n;
}

void plan_move(struct plan *p, struct plan *q)
{
        vec_fini(&p->steps);
        *p = *q;
        memset(q, 0, sizeof *q);
}

void plan_fini(struct plan *p)
{
        vec_fini(&p->steps);
}
