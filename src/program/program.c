/* The program under check: the regions that it shares with us, as the command line wants them. */
#include "program/program.h"

#include <string.h>

#include "program/irrelevant.h"
#include "strategy/registry.h"
#include "target/build_fingerprint.h"
#include "target/plugin.h"
#include "trace/schedule.h"

#define FIRST_POOL 8u /* threads */

char *program_text(const struct program *p, const struct trace *t, uint32_t n_events, uint32_t last, bool fails)
{
        struct schedule_head head = {.fingerprint = p->fingerprint,
                                     .memory = p->config->memory,
                                     .posix_fences = p->config->posix_fences,
                                     .fails = fails};

        return schedule_encode(t, n_events, last, &head);
}

bool program_irrelevant(void *program, const struct wire_event *e, char what)
{
        const struct program *p = program;
        struct irrelevant_access a = {.site = e->site, .addr = e->obj, .size = e->size, .what = what};

        return p->irrelevant && p->symbols && irrelevant_is(p->irrelevant, p->symbols, &a);
}

/* Are executions that come back to an earlier state looked for?  Not where more counts than the state (preemptions that are
 * left, races, classes), where it is a part of what is asked for, or is not known (store buffers); nor where a search is shared
 * with other machines or stored. */
static uint32_t cycles_of(const struct config *c)
{
        if (!strategy_can(c->strategy, STRATEGY_CYCLES) || c->bounded || c->paths || c->fair ||
            c->memory != WIRE_MEMORY_SC || c->preempt == WIRE_PREEMPT_RACES || c->fail_on == FAIL_ON_RACE ||
            c->count_classes || c->capture || config_many(c) || c->save || c->resume || c->replay)
                return WIRE_CYCLES_NEVER;
        return WIRE_CYCLES_SOME;
}

static void write_config(struct wire_down *d, const struct config *config)
{
        d->depth = config->depth;
        d->thread_depth = config->thread_depth;
        d->fair = config->fair;
        d->fair_after = config->fair_after;
        d->timeout_limit = config->timeout_rounds;
        d->cycles = cycles_of(config);
        if (config->paths)
                d->paths = *config->paths;
        d->fail_malloc = config->fail_malloc;
        d->heap_checks = config->heap_checks == HEAP_CHECKS_ON;
        d->leaks = config->leaks == LEAKS_ALL || (config->leaks == LEAKS_SOME && !config->replay);
        d->n_names = 1;
        d->by_gcc = config->by_gcc;
}

int program_init(struct program *p, const struct config *config, struct facts *facts, struct error *why)
{
        int e;

        memset(p, 0, sizeof *p);
        p->config = config;
        p->facts = facts;
        p->why = why;
        p->fingerprint = identity_of(config->program);
        e = target_init(&p->target, config);
        if (e != TARGET_OK)
                return error_set(why, e == TARGET_INTR ? (int)RUN_INTR : (int)ERROR_FAIL, "%s", p->target.why.text);
        if (plugin_attach(config, p->target.down, p->target.up))
                return error_memory(why);
        p->target.pool = FIRST_POOL;
        p->target.blocks = config->preempt != WIRE_PREEMPT_ALL;
        p->target.isolate = config->isolate == ISOLATE_FORK ? WIRE_ISOLATE_FORK : WIRE_ISOLATE_SNAPSHOT;
        facts->forked = config->isolate == ISOLATE_FORK;
        facts->instrumented = config->instrumented;
        write_config(p->target.down, config);
        return RUN_OK;
}

void program_fini(struct program *p)
{
        plugin_detach();
        target_fini(&p->target);
        symbols_destroy(p->symbols);
        irrelevant_destroy(p->irrelevant);
        for (uint32_t i = 0; i < p->touched.n; i++)
                free(p->touched.at[i].path);
        vec_fini(&p->touched);
}

void program_take_labels(struct program *p)
{
        if (p->target.up)
                facts_take(p->facts, p->target.up);
}
