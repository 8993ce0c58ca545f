/* Which strategy a configuration asks for. */
#include "strategy/strategy.h"

#include "config/config.h"
#include "strategy/deepening/deepen.h"
#include "strategy/states/filters.h"

#define RANDOM_BUDGET 10000 /* executions, when neither --executions nor --time says how long */

/* Is everything wanted, not the first failure soon?  With --keep-going, too, the first one is looked for as without it: what
 * is found within a limit is found with it, too. */
static bool wants_all(const struct config *config)
{
        return config->n_observe || config->capture;
}

bool strategy_unreduced(const struct config *config, bool blocks)
{
        return blocks || config->memory != WIRE_MEMORY_SC;
}

struct strategy *strategy_create(const struct config *config, bool blocks)
{
        uint64_t budget = config->executions ? config->executions : config->seconds > 0 ? 0 : RANDOM_BUDGET;
        uint32_t bound = config->bounded ? config->bound : STRATEGY_UNBOUNDED;

        if (config->bounded && config->strategy != STRATEGY_DFS && config->strategy != STRATEGY_ICB)
                return icb_create(bound, bound,
                                  strategy_unreduced(config, blocks)); /* the reduction that a bound permits */
        switch (config->strategy) {
        case STRATEGY_ICB: return icb_create(0, bound, strategy_unreduced(config, blocks));
        case STRATEGY_AUTO:
                if (config->jobs > 1)
                        return optimal_create(blocks); /* none that is two can be shared */
                return wants_all(config)
                               ? optimal_create(blocks)
                               : auto_create(optimal_create(blocks), strategy_unreduced(config, blocks), config->seed);
        case STRATEGY_DFS: return dfs_create(bound);
        case STRATEGY_RANDOM: return random_create(WIRE_TAIL_RANDOM, config->seed, 0, budget);
        case STRATEGY_PCT: return random_create(WIRE_TAIL_PCT, config->seed, config->pct_depth, budget);
        case STRATEGY_POS: return random_create(WIRE_TAIL_POS, config->seed, 0, budget);
        case STRATEGY_FILTERS: return filters_create(config, blocks, false);
        case STRATEGY_DEEPEN:
                return config->maximal
                               ? optimal_create(blocks)
                               : deepen_create(config->seconds, !wants_all(config) && config->jobs <= 1, config->seed);
        case STRATEGY_DPOR: return dpor_create();
        default: return optimal_create(blocks);
        }
}
