/* See matching.h. */
#include "engine/matching.h"

#include "base/log.h"
#include "engine/session.h"
#include "strategy/registry.h"

#define FIRST  30000u /* executions before the first trial */
#define RUNS   10000u /* of the first trial */
#define MORE   10u    /* times as many of both for the next */
#define TRIALS 3u
#define LATE   0.25 /* of the search: it is better finished */

static uint64_t times(uint64_t n, uint32_t trials)
{
        while (trials--)
                n *= MORE;
        return n;
}

static bool begins(struct session *s)
{
        struct matching *m = &s->matching;
        struct stats *st = &s->result->stats;

        if (s->config->executions || config_shared(s->config) || m->trials == TRIALS || s->result->n_findings ||
            !strategy_can(s->config->strategy, STRATEGY_MATCHES) || s->program.target.down->cycles != WIRE_CYCLES_SOME)
                return false;
        m->next = m->next ? m->next : FIRST;
        if (st->executions < m->next)
                return false;
        m->next = st->executions * 2;
        progress_guess(&s->progress, s->strategy, st);
        return st->share < LATE || stats_range(st).high <= 0;
}

/* Too many runs, or the states do not tell everything. */
static bool fails(const struct session *s)
{
        const struct stats *st = &s->result->stats;

        return st->executions + st->blocked + st->cut_spin > times(RUNS, s->matching.trials - 1) ||
               reasons_has(&st->reasons, REASON_CYCLE_TIME) || reasons_has(&st->reasons, REASON_CYCLE_DATA);
}

bool matching_turns(struct session *s)
{
        struct matching *m = &s->matching;

        if (m->running && fails(s)) {
                log_note("the search over states is not done after %llu runs: back to one over executions",
                         (unsigned long long)s->result->stats.executions);
                s->program.target.down->cycles = WIRE_CYCLES_SOME;
                m->running = false;
                m->next = times(FIRST, m->trials);
                return true;
        }
        if (m->running || !begins(s))
                return false;
        log_note("many more executions are expected: trying a search over states");
        s->program.target.down->cycles = WIRE_CYCLES_ALL;
        m->running = true;
        m->trials++;
        return true;
}
