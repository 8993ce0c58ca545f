/* The table of strategies, and which of them a configuration asks for. */
#include "strategy/registry.h"

#include "config/config.h"
#include "strategy/dpor/bounded.h"
#include "strategy/guided.h"
#include "strategy/states/filters.h"

enum {
        PROVES = STRATEGY_PROVES,
        REDUCES = STRATEGY_REDUCES,
        SHARES = STRATEGY_SHARES,
        BOUNDS = STRATEGY_BOUNDS,
        BOUNDED = STRATEGY_BOUNDED,
        POINTS = STRATEGY_POINTS,
        CYCLES = STRATEGY_CYCLES,
        MATCHES = STRATEGY_MATCHES,
        STATES = STRATEGY_STATES,
        ALONE = STRATEGY_ALONE,
        PARTS = STRATEGY_PARTS,
        DRAWS = STRATEGY_DRAWS,
};

static const struct strategy_row rows[] = {
#define STRATEGY(name, can, make, help) {name, can, make},
#include "strategy/strategies.def"
#undef STRATEGY
};

#define STRATEGY(name, can, make, help) name " "
const char strategy_words[] =
#include "strategy/strategies.def"
        ;
#undef STRATEGY

#define STRATEGY(name, can, make, help) "; " name " (" help ")"
const char strategy_help[] = "how schedules are chosen"
#include "strategy/strategies.def"
        ;
#undef STRATEGY

const struct strategy_row *strategy_row(uint32_t number)
{
        return &rows[number];
}

bool strategy_can(uint32_t number, uint32_t can)
{
        return rows[number].can & can;
}

struct strategy *strategy_create(const struct config *config, bool blocks)
{
        if (config->paths)
                return guided_create(config, blocks);
        if (config->bounded && strategy_can(config->strategy, STRATEGY_BOUNDED))
                return bounded_create(config->bound, config->bound, bounded_unreduced(config, blocks));
        return rows[config->strategy].make(config, blocks);
}

struct strategy *strategy_create_instead(const struct config *config, bool blocks, const char *why)
{
        struct strategy *s = optimal_make(config, blocks);

        if (s)
                s->instead = why;
        return s;
}

struct strategy *strategy_create_trial(const struct config *config, bool blocks)
{
        return filters_create(config, blocks, true);
}

struct strategy *strategy_create_states(const struct config *config, bool blocks)
{
        struct strategy *s;

        if (rows[config->strategy].make == portfolio_make)
                return portfolio_make_states(config, blocks);
        s = filters_create(config, blocks, true);
        if (s && rows[config->strategy].make != filters_make)
                s->instead = "executions that return to earlier states";
        return s;
}
