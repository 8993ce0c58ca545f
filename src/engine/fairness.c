/*
 * See fairness.h.
 *
 * Limits begin small, so that executions with few rounds come first, and grow up to --fair-after; on many machines there is one limit.  A limit loses
 * nothing if no race spans a transition that had to wait for it (WIRE_WEAK_FAIR): then the executions are those without the
 * limit.  Races are those of the causality without the order that the limit makes.
 */
#include "engine/fairness.h"

#include "base/log.h"

#define GROWN    4u    /* times as many transitions of a thread as in the first execution ... */
#define COMPARED 1500u /* ... or so many, where executions that return to a state are found before that (cycle.c) */
#define GROWN_BY 128u  /* ... and so many more */
#define TIMEOUTS 8u    /* in a row */
#define SMALLEST 16u   /* limit */
#define FACTOR   8u

/* The least limit above `limit`: --fair-after, an eighth of it, ... */
static uint32_t limit_above(const struct config *c, uint32_t limit)
{
        uint32_t next = c->fair_after;

        while (!config_many(c) && next / FACTOR > limit && next / FACTOR >= SMALLEST)
                next /= FACTOR;
        return next;
}

/* Transitions of the thread that made the most. */
static uint32_t busiest(const struct trace *t)
{
        uint32_t most = 1;

        for (uint32_t i = 0; i < t->n_threads; i++)
                if (t->threads[i].state != WIRE_T_BUFFER && t->threads[i].transitions > most)
                        most = t->threads[i].transitions;
        return most;
}

static bool applies(const struct session *s)
{
        return s->run.schedule.flags & WIRE_FAIR && s->program.target.down->cycles != WIRE_CYCLES_ALL;
}

bool fairness_needed(struct session *s)
{
        struct wire_down *d = s->program.target.down;
        uint32_t most = busiest(&s->run.trace), *first = &s->progress.first_turns, by;
        bool grown;

        if (!applies(s))
                return false;
        *first = *first ? *first : most;
        by = d->cycles == WIRE_CYCLES_SOME ? COMPARED : GROWN_BY;
        grown = !d->fair_limit && ((most / GROWN > *first && most > *first + by) || s->program.target.up->endless ||
                                   (s->run.trace.end == WIRE_END_DEPTH && !s->config->depth));
        if (grown)
                d->fair_limit = limit_above(s->config, 0);
        if (!d->timeout_limit && s->program.target.up->timeout_row > TIMEOUTS) {
                d->timeout_limit = 1;
                grown = true;
        }
        if (grown)
                log_note("executions may grow without end: other threads run first after %u transitions of a thread, "
                         "and "
                         "waits time out %u times in a row",
                         d->fair_limit, d->timeout_limit);
        return grown;
}

struct spanning {
        uint32_t fair; /* the last transition that had to wait, 0: none */
        bool found;
};

static bool spans(void *arg, uint32_t i, uint32_t actor, const uint32_t *past)
{
        struct spanning *x = arg;

        (void)actor, (void)past;
        x->found |= i < x->fair;
        return true;
}

/* Does a race span a transition that had to wait?  <0: out of memory. */
static int race_spans(const struct trace *t)
{
        struct causality c;
        struct spanning x = {0};
        uint32_t at = 0;
        bool ok = causality_init(&c);

        c.unfair = true;
        while (at < t->n_events && !(t->events[at].flags & WIRE_EV_SCHED))
                at++;
        ok = ok && causality_prologue(&c, t->events, at);
        for (uint32_t i = 0, n; at < t->n_events && ok && !x.found; at += n, i++) {
                n = trace_transition_length(t, at);
                x.fair = t->events[at].weak & WIRE_WEAK_FAIR ? i : x.fair;
                ok = causality_push(&c, &t->events[at], n, spans, &x);
        }
        causality_fini(&c);
        return ok ? x.found : -1;
}

/* The first transition that had to wait, t->n_events: there is none. */
static uint32_t first_wait(const struct trace *t)
{
        uint32_t i = 0;

        while (i < t->n_events && !(t->events[i].weak & WIRE_WEAK_FAIR))
                i++;
        return i;
}

/* How often the thread had been there before entry i. */
static uint64_t visits(const struct trace *t, uint32_t i, uint32_t actor, uint64_t site)
{
        uint64_t n = 0;

        for (uint32_t k = 0; k < i; k++)
                n += t->events[k].actor == actor && t->events[k].site == site;
        return n;
}

/* Rounds of the thread that had to wait first, or of those that were waiting at the end. */
static uint64_t rounds_of(const struct trace *t, uint32_t first)
{
        uint64_t most = 0;

        if (first < t->n_events)
                return visits(t, first, t->events[first].actor, t->events[first].site);
        for (uint32_t i = 0; i < t->n_threads; i++) {
                uint64_t n = t->threads[i].state == WIRE_T_READY ? visits(t, first, i, t->threads[i].site) : 0;
                most = n > most ? n : most;
        }
        return most;
}

bool fairness_look(struct session *s)
{
        const struct trace *t = &s->run.trace;
        struct stats *st = &s->result->stats;
        uint32_t first;
        uint64_t rounds;
        int lost;

        if (!s->program.target.down->fair_limit || !applies(s) || s->judge.probe)
                return true;
        st->fair_limit = s->program.target.down->fair_limit;
        first = first_wait(t);
        rounds = first < t->n_events || s->program.target.up->used_up ? rounds_of(t, first) : 0;
        if (rounds > st->rounds)
                st->rounds = rounds;
        if (reasons_has(&st->reasons, REASON_FAIR))
                return true;
        lost = (t->end == WIRE_END_DONE || t->end == WIRE_END_CUT) && s->program.target.up->used_up ? 1
               : first < t->n_events                                                                ? race_spans(t)
                                                                                                    : 0;
        if (lost > 0)
                stats_incomplete(st, REASON_FAIR, NULL);
        return lost >= 0;
}

bool fairness_more(struct session *s)
{
        struct wire_down *d = s->program.target.down;
        const struct stats *st = &s->result->stats;

        if (!d->fair_limit || d->fair_limit >= s->config->fair_after || !reasons_has(&st->reasons, REASON_FAIR))
                return false;
        s->progress.rounds = st->rounds;
        d->fair_limit = limit_above(s->config, d->fair_limit);
        log_note("up to %llu rounds of loops are explored; next: other threads run first after %u transitions",
                 (unsigned long long)st->rounds, d->fair_limit);
        return true;
}

void fairness_end(struct session *s)
{
        struct stats *st = &s->result->stats;

        if (reasons_has(&st->reasons, REASON_FAIR) || s->progress.rounds)
                st->rounds_covered = s->progress.covered ? st->rounds : s->progress.rounds;
        if (st->rounds < st->rounds_covered)
                st->rounds = st->rounds_covered;
}
