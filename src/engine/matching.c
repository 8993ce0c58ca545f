/* See matching.h. */
#include "engine/matching.h"

#include "base/log.h"
#include "engine/session.h"
#include "strategy/registry.h"

#define FIRST 30000u /* executions before the first trial */
#define AGAIN 4u     /* times as many before the next */
#define LATE  0.25   /* of the search: it is better finished */
#define PART  0.05   /* of what is left, for a trial */
#define COST  8u     /* of a run whose states are compared, in executions */
#define LEAST 2000u  /* runs: what is expected may be far too little */

static bool is_due(struct session *s)
{
        struct matching *m = &s->matching;
        struct stats *st = &s->result->stats;

        if (s->config->executions || config_shared(s->config) || m->kept || s->result->n_findings ||
            !strategy_can(s->config->strategy, STRATEGY_MATCHES) || s->program.target.down->cycles != WIRE_CYCLES_SOME)
                return false;
        m->next = m->next ? m->next : FIRST;
        if (st->executions < m->next)
                return false;
        m->next = st->executions * AGAIN;
        progress_guess(&s->progress, s->strategy, st);
        return st->share < LATE || stats_range(st).high <= 0;
}

/* How many runs a trial may have: of what was spent, where nothing is known of what is left. */
static uint64_t runs_of(const struct stats *st)
{
        double spent = (double)stats_runs(st), left = st->share > 0 ? spent * (1 - st->share) / st->share : 0;
        double worth = st->share > 0 && PART * left < spent ? PART * left : spent;

        return worth < LEAST * COST ? LEAST : (uint64_t)worth / COST;
}

/* Other schedules were run between: of the last execution nothing holds for the next one. */
static void change_over(struct session *s, struct strategy *to, uint32_t cycles)
{
        s->strategy = to;
        s->program.target.down->cycles = cycles;
        s->run.schedule.author = NULL;
        s->matching.changed = true;
        ahead_drop(&s->run.ahead);
}

static int begin(struct session *s)
{
        struct matching *m = &s->matching;
        struct strategy *trial = strategy_create_trial(s->config, program_has_blocks(&s->program));

        if (!trial)
                return error_memory(s->why);
        log_note("many more executions are expected: trying a search over states");
        trial->probing = true;
        m->kept = s->strategy;
        m->figures = s->result->stats;
        m->runs = runs_of(&m->figures);
        change_over(s, trial, WIRE_CYCLES_ALL);
        return RUN_OK;
}

/* The states do not tell everything. */
static bool is_blind(const struct stats *st)
{
        return reasons_has(&st->reasons, REASON_CYCLE_TIME) || reasons_has(&st->reasons, REASON_CYCLE_DATA);
}

void matching_stop(struct session *s, bool counts)
{
        struct matching *m = &s->matching;
        struct stats *st = &s->result->stats;
        uint64_t probes = st->probes;

        if (!m->kept)
                return;
        log_note("the search over states is not done after %llu runs: back to one over executions",
                 (unsigned long long)(probes - m->figures.probes));
        if (is_blind(st))
                m->next = UINT64_MAX;
        s->strategy->ops->destroy(s->strategy);
        change_over(s, m->kept, WIRE_CYCLES_SOME);
        s->strategy->found = s->result->n_findings > 0;
        m->kept = NULL;
        if (counts)
                return;
        s->progress.in_part = false;
        *st = m->figures;
        st->probes = probes;
}

bool matching_done(struct session *s)
{
        struct matching *m = &s->matching;

        if (is_blind(&s->result->stats)) {
                matching_stop(s, false);
                return false;
        }
        m->kept->ops->destroy(m->kept);
        m->kept = NULL;
        return true;
}

int matching_turn(struct session *s)
{
        const struct matching *m = &s->matching;
        const struct stats *st = &s->result->stats;

        if (m->kept && (st->probes - m->figures.probes >= m->runs || is_blind(st)))
                matching_stop(s, false);
        else if (is_due(s))
                return begin(s);
        return RUN_OK;
}
