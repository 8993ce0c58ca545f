/*
 * Minimisation: the same failure (kind and key) with the fewest preemptions, then the fewest switches, then the fewest
 * steps; and the decision after which it is certain.
 *
 * 1. The schedule text is run to the end of the other threads, so that all shared memory is known; then it is run again and becomes a list of decisions, which is shortened by local changes (shorten.c).
 * 2. A bounded search looks for it with 0, 1, 2 ... preemptions (bounded.c), up to what is known: the first hit has as few as
 *    can be.  At the bound of the hit the search continues for a moment, because among equals the shortest is wanted.
 * 3. The hit is shortened, run again in detail, and its schedule text replayed: only if that shows the same failure does
 *    it take the place of what was found.
 * 4. The inflection point (inflection.c).
 *
 * When memory turns out to be shared, decisions mean something else: it restarts from the text.
 */
#include "minimize/minimize.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/deadline.h"
#include "minimize/inflection.h"
#include "verdict/verdict.h"
#include "engine/replay.h"
#include "minimize/shorten.h"
#include "strategy/dpor/bounded.h"
#include "trace/schedule.h"

#define LONG    16u /* preemptions: the bounded search is not likely to come so far */
#define ROUNDS  100 /* in each of which more memory is found to be shared */
#define POLISH  0.2 /* seconds for shorter ones with as few preemptions, at most */
#define GRANTED 60  /* seconds for the last two runs, however late it is */

struct minimize {
        struct quest q;
        struct finding *f;
        struct plan best;
        double begun, end;
        bool learnt;    /* the trace of the finding lacks accesses that are events now */
        bool reduced;   /* strategies that leave executions out may be used */
        uint32_t floor; /* no execution with fewer preemptions shows it */
};

/* A share of the time, from the beginning. */
static void until(struct minimize *m, double share)
{
        m->q.until = m->begun + (m->end - m->begun) * share;
}

/* Runs a schedule text.  The trace is that of the session. */
static bool run_text(struct quest *q, const char *schedule, uint32_t *failure)
{
        struct schedule *m = &q->run->schedule;
        struct schedule_text text;
        struct error why;
        bool shown = false;

        if (schedule_decode(&text, schedule, &why) < 0)
                return false;
        m->n_prefix = m->n_hints = m->n_sleep = 0;
        m->tail = WIRE_TAIL_RUN_TO_BLOCK;
        if (replay_load(q->run, &text) == RUN_OK)
                shown = quest_run(q, 0, failure) == QUEST_SHOWN;
        schedule_fini(&text);
        m->flags = 0;
        return shown;
}

/* Runs a list of decisions that was taken from the replay of a text.  Where a thread of the replay came to an operation only after what
 * it waits for was there (a join of a thread that had ended), that is a decision here and none in the list: from there on the
 * list is a hint. */
static bool follow_list(struct quest *q, const struct plan *list, uint32_t *failure)
{
        uint32_t n = list->steps.n;
        enum quest_answer a = quest_follow(q, list->steps.at, n, 0, WIRE_TAIL_RUN_TO_BLOCK, 0, failure);

        if (a == QUEST_CUT && q->run->trace.end == WIRE_END_DIVERGED && q->run->trace.step < n)
                a = quest_follow(q, list->steps.at, q->run->trace.step, n - q->run->trace.step, WIRE_TAIL_RUN_TO_BLOCK,
                                 0, failure);
        return a == QUEST_SHOWN;
}

/* The first plan: what was found, as decisions. */
static bool begin(struct minimize *m)
{
        struct plan list = {0};
        uint32_t failure;
        bool ok;

        if (!run_text(&m->q, m->f->schedule, &failure))
                return false;
        ok = plan_take(&list, &m->q.run->trace, failure) && follow_list(&m->q, &list, &failure) &&
             plan_take(&m->best, &m->q.run->trace, failure);
        plan_fini(&list);
        return ok;
}

static void take_better(struct minimize *m, uint32_t failure)
{
        struct plan p = {0};

        if (plan_take(&p, &m->q.run->trace, failure) && (!m->best.steps.n || plan_better(&p, &m->best)))
                plan_move(&m->best, &p);
        plan_fini(&p);
}

/* The bounded search.  `most`: preemptions of the best that is known. */
static void search(struct minimize *m, uint32_t most)
{
        const struct program *p = m->q.run->program;
        struct strategy *s = bounded_create(0, most, bounded_unreduced(p->config, program_has_blocks(p)));
        double polish = 0;
        uint32_t failure;

        while (s && strategy_next(s, &m->q.run->schedule, clock_now()) > 0) {
                m->floor = s->bound;
                if (s->bound > most)
                        break;
                if (s->bound == most && !polish)
                        polish = clock_now() + POLISH;
                if (polish && clock_now() >= polish)
                        break;
                enum quest_answer a = quest_run(&m->q, m->q.run->schedule.known, &failure);
                if (a == QUEST_STOP || s->ops->learn(s, &m->q.run->trace) < 0 || late_reported())
                        break;
                if (a != QUEST_SHOWN)
                        continue;
                take_better(m, failure);
                most = m->best.preemptions;
        }
        if (s)
                s->ops->destroy(s);
}

/* The best plan takes the place of what was found. */
static bool adopt(struct minimize *m)
{
        struct run *run = m->q.run;
        struct finding *f = m->f;
        struct trace *trace = NULL;
        char *text = NULL;
        uint32_t failure, again;
        bool ok;

        m->q.until = clock_now() + GRANTED;
        m->q.flags = WIRE_DETAIL;
        ok = quest_follow(&m->q, m->best.steps.at, m->best.steps.n, 0, WIRE_TAIL_RUN_TO_BLOCK, 0, &failure) ==
             QUEST_SHOWN;
        m->q.flags = 0;
        if (ok) {
                text = verdict_text(run->program, &run->trace, failure);
                trace = trace_copy(&run->trace);
        }
        if (!text || !trace || !run_text(&m->q, text, &again)) {
                free(text);
                free(trace);
                return false;
        }
        free(f->schedule);
        free(f->trace);
        f->schedule = text;
        f->trace = trace;
        f->failure = failure;
        return true;
}

/* The entry of the trace with its n-th transition, from 1. */
static uint32_t entry_of(const struct trace *t, uint32_t n)
{
        uint32_t i = 0;

        for (; i < t->n_events && n > 0; i++)
                n -= t->events[i].flags & WIRE_EV_SCHED;
        return i;
}

/* What the other threads do after the failure makes memory shared that the failing thread has touched: only then are its
 * accesses there events, which another order can reverse. */
static void learn_rest(struct minimize *m)
{
        uint32_t failure;

        for (int round = 0; round < ROUNDS; round++) {
                m->q.grew = false;
                m->q.flags = WIRE_KEEP_GOING;
                run_text(&m->q, m->f->schedule, &failure);
                m->q.flags = 0;
                if (!m->q.grew)
                        break;
        }
        if (run_text(&m->q, m->f->schedule, &failure))
                m->learnt = m->q.run->trace.n_events != m->f->trace->n_events;
}

/* Steps 1 and 2, as often as it takes until all shared memory is known.  false: there is nothing to be had. */
static bool look(struct minimize *m, struct plan *first)
{
        for (int round = 0; round < ROUNDS; round++) {
                m->q.grew = false;
                m->floor = 0;
                m->best.steps.n = 0;
                until(m, 0.25);
                if (begin(m)) {
                        *first = (struct plan){.preemptions = m->best.preemptions, .switches = m->best.switches};
                        first->steps.n = m->best.steps.n;
                        until(m, m->best.preemptions > LONG ? 0.6 : 0.25);
                        shorten(&m->q, &m->best);
                }
                until(m, 0.7);
                if (!m->q.grew && m->reduced)
                        search(m, m->best.steps.n ? m->best.preemptions : m->f->preemptions);
                until(m, 0.8);
                if (!m->q.grew && m->best.steps.n)
                        shorten(&m->q, &m->best);
                if (!m->q.grew)
                        break;
        }
        return !m->q.grew && m->best.steps.n > 0;
}

static bool can_be(const struct finding *f)
{
        const struct trace *t = f->trace;

        if (f->kind == FINDING_INFINITE_LOOP || f->kind == FINDING_NONDETERMINISM || !t || !t->n_events || !f->schedule)
                return false;
        return f->failure >= t->n_failures || t->failures[f->failure].kind != WIRE_FAIL_STARVED;
}

static void minimize_one(struct judge *j, struct finding *f, double seconds)
{
        struct minimize m = {
                .f = f, .q = {.run = j->run, .judge = j, .kind = f->kind, .key = f->key}, .begun = clock_now()};
        const struct config *config = j->run->program->config;
        struct minimized *z = &f->minimized;
        struct plan first = {.preemptions = UINT32_MAX};
        bool all =
                !config->paths; /* else what holds for all of these executions need not hold for all of the program */

        m.end = m.begun + seconds;
        until(&m, 0.25);
        learn_rest(&m);
        if (!f->trace->n_transitions && !m.learnt) { /* there was nothing to decide */
                *z = (struct minimized){.tried = true, .done = true, .fewest = all, .inflection_known = all};
                return;
        }
        m.reduced =
                config->instrumented || !config->n_invariants; /* else invariants see what we do not (invariants.c) */
        if (look(&m, &first) && ((!m.learnt && !plan_better(&m.best, &first)) || adopt(&m))) {
                z->done = true;
                z->fewest = all && m.floor >= m.best.preemptions;
                z->was_preemptions = first.preemptions == UINT32_MAX ? f->preemptions : first.preemptions;
                z->was_switches = first.steps.n ? first.switches : m.best.switches;
                z->was_steps = first.steps.n ? first.steps.n : m.best.steps.n;
                z->switches = m.best.switches;
                z->steps = m.best.steps.n;
                f->preemptions = m.best.preemptions;
                until(&m, 1);
                uint32_t n = m.reduced && all ? inflection_find(&m.q, &m.best) : UINT32_MAX;
                z->inflection_known = n != UINT32_MAX;
                z->inflection = z->inflection_known ? entry_of(f->trace, n) : 0;
        }
        z->runs = m.q.runs;
        z->seconds = clock_now() - m.begun;
        z->timeout = !z->done || (all && (!z->fewest || !z->inflection_known));
        plan_fini(&m.best);
}

void minimize_all(struct judge *j, double seconds)
{
        struct result *r = j->result;
        double end = clock_now() + seconds;
        bool names_matter = j->run->names_matter;

        j->run->names_matter = false;
        for (uint32_t i = 0; i < r->n_findings && !loop_interrupted; i++) {
                struct finding *f = &r->findings[i];
                double left = end - clock_now();
                if (!can_be(f))
                        continue;
                f->minimized.tried = true;
                if (left > 0)
                        minimize_one(j, f, left / (r->n_findings - i));
        }
        j->run->names_matter = names_matter;
}
