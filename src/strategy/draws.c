/* A part that is new is stored as its number alone. */
#include "strategy/draws.h"

#include "base/hash.h"

#define BUDGET 10000u /* executions, when neither --executions nor --time says how long */

struct draws draws_of(const struct config *config)
{
        return (struct draws){
                .seed = config->seed,
                .budget = config->executions    ? config->executions
                          : config->seconds > 0 ? 0
                                                : BUDGET,
                .counted = config->executions > 0,
                .parts = 1,
        };
}

uint64_t draws_seed(const struct draws *d)
{
        return d->part ? hash_mix(d->seed, d->part) : d->seed;
}

bool draws_over(const struct draws *d, uint64_t executions)
{
        uint64_t own = d->counted ? d->budget : d->budget / d->parts + (d->part < d->budget % d->parts);

        return d->budget && executions >= own;
}

static void put(const struct draws *d, bool begun, struct stream *out)
{
        stream_put_u32(out, d->part);
        stream_put_u32(out, d->parts);
        stream_put_u32(out, begun);
}

void draws_save(const struct draws *d, struct stream *out)
{
        put(d, true, out);
}

bool draws_load(struct draws *d, struct stream *in)
{
        d->part = stream_get_u32(in);
        d->parts = stream_get_u32(in);
        in->failed |= d->part >= d->parts;
        if (in->failed)
                d->part = 0, d->parts = 1;
        return stream_get_max(in, 1);
}

bool draws_divide(struct strategy *s, struct draws *d, uint32_t n, parts_take *take, void *arg)
{
        struct stream state = STREAM_INIT;
        struct draws whole = *d;
        bool ok = true;

        d->parts = n;
        for (uint32_t i = 0; i < n && ok; i++) {
                stream_reset(&state);
                if (i == 0)
                        s->ops->persist->save(s, &state);
                else
                        put(&(struct draws){.part = i, .parts = n}, false, &state);
                ok = !state.failed && take(arg, &state, 1);
        }
        *d = whole;
        stream_fini(&state);
        return ok;
}

static bool share_nothing(struct strategy *s, struct stream *out)
{
        (void)s;
        (void)out;
        return false;
}

static struct stream *no_races(struct strategy *s)
{
        (void)s;
        return NULL;
}

static uint32_t no_nodes(const struct strategy *s)
{
        (void)s;
        return 0;
}

const struct share_ops draws_share = {.split = share_nothing, .races = no_races, .own = no_nodes};
