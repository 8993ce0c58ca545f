/*
 * Prediction: from each execution, reorderings in which something fails.
 *
 * A prediction is a schedule.  It is run, and counts as confirmed only if the execution shows what was predicted; the race
 * detector and the other observers judge that execution as any other, so nothing is reported that did not happen.  Between
 * predictions schedules are drawn; which way of drawing has the next turn follows from how many new pairs of write and read each
 * has shown (Wolff, Shi, Duck, Mathur, Roychoudhury: Greybox fuzzing for concurrency testing, ASPLOS 2024).
 *
 * It proves nothing: docs/proofs/predict.md.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/deadline.h"
#include "op/op.h"
#include "strategy/draws.h"
#include "strategy/makers.h"
#include "strategy/predict/conflicts.h"
#include "strategy/predict/corpus.h"
#include "strategy/predict/cycles.h"
#include "strategy/predict/postpone.h"
#include "strategy/predict/window.h"
#include "strategy/random.h"

#define SHOWN 16u /* executions from which it is learnt what there is to focus on */
#define TIRED 2u  /* predictions of failures refuted one after the other: then others have their turns, too */

/* BEGUN: as POS, after the beginning of an earlier execution. */
enum arm { FIRST, HOLD, FOCUS, POS, RANDOM, PCT, BEGUN, ARMS, FORESEEN = ARMS };

struct arm_state {
        struct strategy *strategy;
        uint64_t runs, fresh; /* ... and pairs of write and read that they were the first to show */
};

struct predict {
        struct strategy base;
        const struct config *config;
        struct draws draws;
        uint64_t n; /* executions */
        uint64_t drawn;
        struct arm_state arms[ARMS];
        enum arm at;           /* what the execution under way is */
        bool given;            /* it has not been learnt yet */
        uint32_t turn;         /* values, orders, guesses and draws take turns */
        uint32_t refuted;      /* predictions of failures, one after the other */
        bool single;           /* nothing was ever decided */
        struct forecast ahead; /* of FORESEEN */
        struct forecasts forecasts;
        struct pairs pairs;
        struct index_map known;
        struct corpus corpus;
        struct model model;
        struct conflicts conflicts;
        struct cycles cycles;
        struct window window;
        struct postpone postpone;
        char partial[160];
};

static struct predict *predict_of(struct strategy *s)
{
        return (struct predict *)s;
}

/* What is next. */

/* The way of drawing that has shown most for its executions; one in two draws is everyone's in turn. */
static enum arm best_arm(const struct predict *p)
{
        static const enum arm turns[] = {FOCUS, BEGUN, POS, FOCUS, BEGUN, RANDOM, FOCUS, PCT};
        enum arm best = FOCUS;

        if (p->drawn < 2)
                return p->drawn ? HOLD : FIRST;
        if (p->drawn % 2 == 0)
                return turns[p->drawn / 2 % (sizeof turns / sizeof *turns)];
        for (enum arm i = POS; i < ARMS; i++) {
                const struct arm_state *a = &p->arms[i], *b = &p->arms[best];

                if ((a->fresh + 1) * (b->runs + 1) > (b->fresh + 1) * (a->runs + 1))
                        best = i;
        }
        return best;
}

/* QUEUES: a draw. */
static void choose(struct predict *p)
{
        static const enum forecast_queue turns[] = {QUEUE_VALUES, QUEUES,        QUEUE_VALUES, QUEUE_ORDERS,
                                                    QUEUE_VALUES, QUEUE_GUESSES, QUEUE_VALUES, QUEUES};

        p->at = FORESEEN;
        if (!p->n) {
                p->at = FIRST;
                return;
        }
        if (p->refuted >= TIRED && p->n % 2 && forecasts_take(&p->forecasts, QUEUE_SECTIONS, &p->ahead))
                return;
        if (p->refuted >= TIRED && p->n % 4 == 2 && forecasts_take(&p->forecasts, QUEUE_VALUES, &p->ahead))
                return;
        if ((p->refuted < TIRED || p->n % 4 < 2) && forecasts_take_failing(&p->forecasts, &p->ahead))
                return;
        for (uint32_t i = 0; i < 2; i++) {
                p->turn = (p->turn + 1) % (sizeof turns / sizeof *turns);
                if (turns[p->turn] == QUEUES)
                        break;
                if (forecasts_take(&p->forecasts, turns[p->turn], &p->ahead))
                        return;
        }
        p->at = best_arm(p);
}

static void follow(struct predict *p, struct schedule *out)
{
        if (p->ahead.n)
                memcpy(out->prefix, p->ahead.decisions, p->ahead.n * sizeof *out->prefix);
        out->author = NULL;
        out->n_prefix = out->n_sleep = 0;
        out->n_hints = p->ahead.n;
        out->tail =
                p->ahead.kind == PREDICT_RACE || p->ahead.kind >= PREDICT_READ ? WIRE_TAIL_POS : WIRE_TAIL_RUN_TO_BLOCK;
        if (p->ahead.section) { /* what is left has a random order */
                out->tail = WIRE_TAIL_PCT;
                out->tail_depth = 0;
        }
        out->run_seed = draws_seed(&p->draws) + p->n;
}

static int predict_next(struct strategy *s, struct schedule *out)
{
        struct predict *p = predict_of(s);
        int r = 1;

        if (p->single || draws_over(&p->draws, p->n)) {
                snprintf(p->partial, sizeof p->partial,
                         "%llu execution%s run, which proves nothing; more with --executions or --time",
                         (unsigned long long)p->n, p->n == 1 ? " was" : "s were");
                return 0;
        }
        if (!p->given)
                choose(p);
        p->given = true;
        if (p->at == FORESEEN)
                follow(p, out);
        else
                r = p->arms[p->at].strategy->ops->next(p->arms[p->at].strategy, out);
        if (p->at == BEGUN)
                corpus_begin(&p->corpus, draws_seed(&p->draws) + p->n, out);
        out->flags = WIRE_VALUES;
        return r;
}

/* What an execution shows. */

static bool failed(const struct trace *t)
{
        return t->n_failures || t->end == WIRE_END_STUCK;
}

/* Has the transition at this entry an access from this source location?  Its entry, or NULL. */
static const struct wire_event *access_in(const struct trace *t, uint32_t from, uint32_t n, uint16_t actor,
                                          uint64_t site)
{
        for (uint32_t i = from; i < from + n; i++)
                if (t->events[i].actor == actor && t->events[i].site == site && race_is_access(&t->events[i]))
                        return &t->events[i];
        return NULL;
}

/* Are the two accesses next to each other? */
static bool shows_race(const struct forecast *f, const struct trace *t)
{
        const struct wire_event *before = NULL;

        for (uint32_t i = 0, n; i < t->n_events && !late_soon(); i += n) {
                const struct wire_event *e;

                n = trace_transition_length(t, i);
                e = before ? access_in(t, i, n, f->actor[1], f->site[1]) : NULL;
                if (e && e->obj < before->obj + before->size && before->obj < e->obj + e->size)
                        return true;
                before = access_in(t, i, n, f->actor[0], f->site[0]);
        }
        return false;
}

static bool shows(struct predict *p, const struct forecast *f, const struct trace *t)
{
        switch (f->kind) {
        case PREDICT_RACE: return shows_race(f, t) || failed(t); /* it may end after the first half */
        case PREDICT_VALUE: return window_shows(&p->window, f) || failed(t);
        case PREDICT_READ: return index_map_find(&p->known, conflicts_read_key(f->site[0], f->site[1]));
        case PREDICT_ORDER: return p->pairs.list.at[f->pair].orders == (RACE_FORWARD | RACE_BACKWARD);
        default: return failed(t);
        }
}

static void settle(struct predict *p, const struct trace *t)
{
        struct forecast *f = &p->ahead;
        bool unknown = f->kind == PREDICT_VALUE && p->window.off && !failed(t); /* nothing was learnt of it */
        bool guess = f->kind == PREDICTION_KINDS || unknown, shown = !guess && shows(p, f, t);

        if (!guess) {
                p->forecasts.figures.confirmed[f->kind] += shown;
                p->forecasts.figures.refuted[f->kind] += !shown;
                if (f->kind < PREDICT_VALUE)
                        p->refuted = shown ? 0 : p->refuted + 1;
        }
        if (!shown && f->pair != MODEL_NONE)
                p->pairs.list.at[f->pair].pending &= (uint16_t) ~(1u << f->kind);
        free(f->decisions);
        f->decisions = NULL;
}

/* Store buffers have no part in the partial order (model.h), only in windows. */
static void analyse(struct predict *p, const struct trace *t)
{
        p->conflicts.fresh = 0;
        if (!t->n_threads || t->end == WIRE_END_DIVERGED)
                return;
        window_learn(&p->window, t);
        if (!p->config->memory) {
                model_read(&p->model, t);
                conflicts_read(&p->conflicts, &p->model);
                cycles_read(&p->cycles, &p->model);
                if (p->refuted + 1 >= TIRED)
                        postpone_read(&p->postpone, &p->model);
        }
        window_read(&p->window, t); /* of races those that the others have not predicted */
}

static int predict_learn(struct strategy *s, const struct trace *t)
{
        struct predict *p = predict_of(s);
        int r = 0;

        p->given = false;
        p->single = !t->n_transitions;
        analyse(p, t);
        if (p->at == FORESEEN) {
                settle(p, t);
        } else {
                r = p->arms[p->at].strategy->ops->learn(p->arms[p->at].strategy, t);
                p->arms[p->at].runs++;
                p->arms[p->at].fresh += p->conflicts.fresh;
                p->drawn++;
        }
        if (!r && p->n < SHOWN)
                r = random_show(p->arms[FOCUS].strategy, t);
        p->n++;
        if (!p->config->memory)
                pairs_count(&p->pairs, &p->forecasts.figures);
        if (p->conflicts.fresh)
                corpus_add(&p->corpus, t);
        return r < 0 ? r : 0;
}

/* Life. */

static void predict_reset(struct strategy *s)
{
        struct predict *p = predict_of(s);

        for (int i = 0; i < ARMS; i++) {
                p->arms[i].strategy->ops->reset(p->arms[i].strategy);
                p->arms[i].runs = p->arms[i].fresh = 0;
        }
        free(p->ahead.decisions);
        p->ahead.decisions = NULL;
        p->n = p->drawn = 0;
        p->given = p->single = false;
        p->turn = p->refuted = 0;
        forecasts_reset(&p->forecasts);
        window_fini(&p->window);
        window_init(&p->window, p->config);
        pairs_reset(&p->pairs);
        corpus_reset(&p->corpus);
        index_map_clear(&p->known);
}

static void predict_destroy(struct strategy *s)
{
        struct predict *p = predict_of(s);

        for (int i = 0; i < ARMS; i++)
                if (p->arms[i].strategy)
                        p->arms[i].strategy->ops->destroy(p->arms[i].strategy);
        free(p->ahead.decisions);
        forecasts_fini(&p->forecasts);
        pairs_fini(&p->pairs);
        corpus_reset(&p->corpus);
        index_map_fini(&p->known);
        model_fini(&p->model);
        conflicts_fini(&p->conflicts);
        cycles_fini(&p->cycles);
        postpone_fini(&p->postpone);
        window_fini(&p->window);
        free(p);
}

/* Storage.  Windows are learnt again from the executions that follow, and so are predictions of values, which are about them.  Figures
 * are the engine's. */

static bool keeps_ahead(const struct predict *p)
{
        return p->given && (p->at != FORESEEN || p->ahead.kind != PREDICT_VALUE);
}

static void predict_save(const struct strategy *s, struct stream *out)
{
        const struct predict *p = (const struct predict *)s;

        draws_save(&p->draws, out);
        stream_put_u64(out, p->n);
        stream_put_u64(out, p->drawn);
        stream_put_u32(out, p->turn);
        stream_put_u32(out, p->refuted);
        stream_put_u32(out, p->single);
        for (int i = 0; i < ARMS; i++) {
                p->arms[i].strategy->ops->persist->save(p->arms[i].strategy, out);
                stream_put_u64(out, p->arms[i].runs);
                stream_put_u64(out, p->arms[i].fresh);
        }
        pairs_save(&p->pairs, out);
        index_map_save(&p->known, out);
        corpus_save(&p->corpus, out);
        forecasts_save(&p->forecasts, out);
        stream_put_u32(out, keeps_ahead(p));
        stream_put_u32(out, p->at);
        if (keeps_ahead(p) && p->at == FORESEEN)
                forecast_save(&p->ahead, out);
}

static void load_rest(struct predict *p, struct stream *in)
{
        pairs_load(&p->pairs, in);
        index_map_load(&p->known, UINT32_MAX, in);
        corpus_load(&p->corpus, in);
        forecasts_load(&p->forecasts, p->pairs.list.n, in);
        p->given = stream_get_max(in, 1);
        p->at = stream_get_max(in, FORESEEN);
        if (p->given && p->at == FORESEEN)
                forecast_load(&p->ahead, p->pairs.list.n, in);
        if (!p->config->memory)
                pairs_count(&p->pairs, &p->forecasts.figures);
}

static int predict_load(struct strategy *s, struct stream *in)
{
        struct predict *p = predict_of(s);
        bool begun;
        int r = 0;

        predict_reset(s);
        begun = draws_load(&p->draws, in);
        if (begun) {
                p->n = stream_get_u64(in);
                p->drawn = stream_get_u64(in);
                p->turn = stream_get_u32(in);
                p->refuted = stream_get_u32(in);
                p->single = stream_get_max(in, 1);
        }
        for (int i = 0; i < ARMS && !r; i++) {
                if (begun) {
                        r = p->arms[i].strategy->ops->persist->load(p->arms[i].strategy, in);
                        p->arms[i].runs = stream_get_u64(in);
                        p->arms[i].fresh = stream_get_u64(in);
                }
                random_seed(p->arms[i].strategy, draws_seed(&p->draws) + (i == BEGUN));
        }
        if (begun && !r)
                load_rest(p, in);
        return r || in->failed ? -EINVAL : 0;
}

static bool predict_divide(struct strategy *s, uint32_t n, parts_take *take, void *arg)
{
        return draws_divide(s, &predict_of(s)->draws, n, take, arg);
}

static const struct persist_ops predict_persist = {.format = "predict", .save = predict_save, .load = predict_load};
static const struct parts_ops predict_parts = {.divide = predict_divide};

static const struct strategy_ops predict_ops = {
        .next = predict_next,
        .learn = predict_learn,
        .reset = predict_reset,
        .destroy = predict_destroy,
        .persist = &predict_persist,
        .share = &draws_share,
        .parts = &predict_parts,
};

struct strategy *predict_make(const struct config *config, bool blocks)
{
        static const uint32_t tails[ARMS] = {WIRE_TAIL_RANDOM, WIRE_TAIL_HOLD, WIRE_TAIL_FOCUS, WIRE_TAIL_POS,
                                             WIRE_TAIL_RANDOM, WIRE_TAIL_PCT,  WIRE_TAIL_POS};
        struct predict *p = calloc(1, sizeof *p);

        (void)blocks;
        if (!p)
                return NULL;
        p->base.ops = &predict_ops;
        p->base.partial_detail = p->partial;
        p->base.prediction = &p->forecasts.figures;
        p->config = config;
        p->draws = draws_of(config);
        p->conflicts.pairs = p->window.pairs = &p->pairs;
        p->conflicts.forecasts = p->cycles.forecasts = p->window.forecasts = p->postpone.forecasts = &p->forecasts;
        p->conflicts.known = p->cycles.known = p->postpone.known = &p->known;
        window_init(&p->window, config);
        p->conflicts.window = p->cycles.window = config->window;
        for (int i = 0; i < ARMS; i++) {
                p->arms[i].strategy = random_create(tails[i], config->seed + (i == BEGUN), config->pct_depth, 0);
                if (!p->arms[i].strategy) {
                        predict_destroy(&p->base);
                        return NULL;
                }
        }
        return &p->base;
}
