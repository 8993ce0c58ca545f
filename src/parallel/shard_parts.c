/*
 * A static split of a search without a tree: every shard runs the same few executions of each part (the plan) and divides it in two, again
 * and again, and then explores its share of the parts one after the other.  Parts are disjoint, so nothing that shards run needs to be compared; what one has run for
 * knowledge alone, and another one's part contains, counts as redundant.
 */
#include "parallel/shard_parts.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/vec.h"
#include "parallel/shard_deal.h"
#include "strategy/share.h"

#define QUANTUM 4u /* executions of a visit while planning */

struct divided {
        struct session *s;
        loop_progress progress;
        void *arg;
        VEC(struct stream) states;
        VEC(struct shard_part) parts; /* size 0: it was divided, or is done */
        double size;                  /* of the one that is being divided */
};

enum { PART_DONE, PART_LEFT, PART_AGAIN, PART_OVER };

void shard_tick(struct session *s, loop_progress progress, void *arg)
{
        double now = clock_now();

        if (now - s->progress.ticked < 0.1)
                return;
        s->progress.ticked = now;
        core_look(&s->program.target.core, s->program.target.pid);
        s->result->stats.seconds = progress_seconds(&s->progress);
        if (progress)
                progress(arg, &s->result->stats);
}

/* At most n executions; *runs counts them. */
static int visit(struct divided *d, uint64_t n, uint64_t *runs)
{
        struct session *s = d->s;
        int e;

        for (*runs = 0; *runs < n; ++*runs) {
                s->progress.reached = progress_limits(&s->progress, s->config, &s->result->stats);
                if (s->progress.reached)
                        return PART_OVER;
                e = loop_next(s);
                if (e <= 0)
                        return e < 0 ? error_memory(s->why) : (int)PART_DONE;
                e = loop_step(s, s->strategy);
                if (e < 0)
                        return e;
                s->progress.ended = e == LOOP_ENDED;
                if (e == LOOP_ENDED || e == LOOP_GREW)
                        return e == LOOP_GREW ? PART_AGAIN : PART_OVER;
                shard_tick(d->s, d->progress, d->arg);
        }
        return PART_LEFT;
}

static bool take(void *arg, const struct stream *state, double size)
{
        struct divided *d = arg;
        struct shard_part part = {.size = d->size / 2, .index = d->parts.n};

        (void)size;
        if (!vec_reserve(&d->states, 1) || !vec_reserve(&d->parts, 1))
                return false;
        *vec_push(&d->parts) = part;
        *vec_push(&d->states) = (struct stream)STREAM_INIT;
        stream_put(&d->states.at[d->states.n - 1], state->at, state->n);
        return !d->states.at[d->states.n - 1].failed;
}

static bool load(struct divided *d, struct stream *state)
{
        state->pos = 0;
        return !d->s->strategy->ops->persist->load(d->s->strategy, state) && stream_done(state);
}

static void drop(struct divided *d)
{
        while (d->states.n)
                stream_fini(&d->states.at[--d->states.n]);
        d->parts.n = 0;
}

/* A few executions of part i, which is then divided in two: both come after all others.  Those that are done are not needed any more. */
static int plan_part(struct divided *d, uint32_t i, uint64_t *planned)
{
        struct strategy *strategy = d->s->strategy;
        uint64_t runs;
        int e;

        d->size = d->parts.at[i].size;
        d->parts.at[i].size = 0;
        if (!load(d, &d->states.at[i]))
                return error_memory(d->s->why);
        stream_fini(&d->states.at[i]);
        e = visit(d, QUANTUM, &runs);
        *planned += runs;
        return e == PART_LEFT && !strategy->ops->parts->divide(strategy, 2, take, d) ? error_memory(d->s->why) : e;
}

/* The parts, which are the same in all shards. */
static int make_plan(struct divided *d, uint64_t *planned)
{
        const struct config *config = d->s->config;
        int e = PART_LEFT;

        *planned = 0;
        drop(d);
        d->s->strategy->ops->reset(d->s->strategy);
        d->size = 2;
        if (!d->s->strategy->ops->parts->divide(d->s->strategy, 1, take, d))
                return error_memory(d->s->why);
        for (uint32_t i = 0; i < d->parts.n && *planned < config->plan * config->shards; i++) {
                e = plan_part(d, i, planned);
                if (e != PART_LEFT && e != PART_DONE)
                        return e;
        }
        return PART_DONE;
}

/* Parts that are left are dealt out. */
static bool deal(struct divided *d, uint64_t planned)
{
        struct session *s = d->s;
        struct result_shard *r = &s->result->shard;

        if (!shard_deal(d->parts.at, d->parts.n, s->config->shards, &r->plan))
                return false;
        r->tasks = r->own = 0;
        for (uint32_t i = 0; i < d->parts.n; i++) {
                r->tasks += d->parts.at[i].size > 0;
                r->own += d->parts.at[i].size > 0 && d->parts.at[i].shard == s->config->shard;
        }
        r->plan = hash_mix(hash_mix(planned, r->tasks), r->plan);
        shard_count_plan(s, planned);
        return true;
}

static int explore_own(struct divided *d)
{
        struct session *s = d->s;
        uint64_t runs;
        int e = PART_DONE;

        for (uint32_t i = 0; i < d->parts.n && e == PART_DONE; i++) {
                if (d->parts.at[i].size <= 0 || d->parts.at[i].shard != s->config->shard)
                        continue;
                if (!load(d, &d->states.at[i]))
                        return error_memory(s->why);
                stream_fini(&d->states.at[i]);
                e = visit(d, UINT64_MAX, &runs);
        }
        return e;
}

/* One attempt: PART_AGAIN if more is known of the program now, or another strategy is needed. */
static int explore(struct divided *d)
{
        struct session *s = d->s;
        struct result_shard *r = &s->result->shard;
        uint64_t planned;
        int e;

        r->in_plan = true;
        e = make_plan(d, &planned);
        if (e != PART_DONE)
                return e;
        r->in_plan = false;
        return deal(d, planned) ? explore_own(d) : error_memory(s->why);
}

int shard_parts_explore(struct session *s, loop_progress progress, void *arg)
{
        struct divided d = {.s = s, .progress = progress, .arg = arg};
        int e;

        while ((e = explore(&d)) == PART_AGAIN && s->strategy->ops->parts) {
                const char *why = s->strategy->unmodelled;

                if (why && loop_replace(s, why) != RUN_OK) {
                        e = ERROR_FAIL;
                        break;
                }
                loop_begin_again(s, s->strategy);
                if (why)
                        break;
        }
        s->progress.covered = e == PART_DONE;
        drop(&d);
        vec_fini(&d.states);
        vec_fini(&d.parts);
        return e < 0 ? e : (int)RUN_OK;
}
