/*
 * Strategies stored and taken up again: at every point of an exploration the copy gives the same schedules as the
 * original, and a state with wrong bytes in it is refused, or harmless.
 *
 * The target exists only here: three actors that write, in turn, an object of their own and one of all.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/config.h"
#include "strategy/states/filters.h"
#include "strategy/makers.h"
#include "strategy/share.h"
#include "strategy/dfs.h"
#include "strategy/dpor/bounded.h"
#include "strategy/dpor/dpor.h"
#include "strategy/dpor/optimal.h"
#include "op/op.h"

#define CHECK(c)                                                                \
        do {                                                                    \
                if (!(c)) {                                                     \
                        fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #c); \
                        exit(1);                                                \
                }                                                               \
        } while (0)

#define ACTORS 3u
#define STEPS  3u
#define TOTAL  (ACTORS * STEPS)

struct machine {
        struct wire_event events[TOTAL];
        uint64_t enabled[TOTAL];
        struct wire_thread threads[ACTORS];
        struct wire_decision prefix[WIRE_MAX_EVENTS];
        struct wire_sleep sleep[WIRE_MAX_SLEEP];
        struct wire_access footprint[WIRE_MAX_FOOTPRINT];
};

static struct machine m;

static struct schedule schedule(void)
{
        return (struct schedule){.prefix = m.prefix, .sleep = m.sleep, .footprint = m.footprint};
}

/* Runs the schedule; it ignores sleep sets, which costs executions and nothing else. */
static struct trace run(const struct schedule *s)
{
        uint32_t done[ACTORS] = {0};

        for (uint32_t k = 0; k < TOTAL; k++) {
                uint32_t a = 0;
                m.enabled[k] = 0;
                for (uint32_t i = ACTORS; i-- > 0;)
                        if (done[i] < STEPS) {
                                m.enabled[k] |= UINT64_C(1) << i;
                                a = i;
                        }
                if (k < s->n_prefix && s->prefix[k].actor < ACTORS && done[s->prefix[k].actor] < STEPS)
                        a = s->prefix[k].actor;
                bool own = done[a]++ % 2;
                m.events[k] = (struct wire_event){.actor = (uint16_t)a,
                                                  .op = OP_STORE,
                                                  .flags = WIRE_EV_SCHED,
                                                  .obj = own ? 64 + 8 * a : 8,
                                                  .size = 8,
                                                  .mode = WIRE_MODE_WRITE,
                                                  .choice = WIRE_NO_CHOICE,
                                                  .next_choice = WIRE_NO_CHOICE};
        }
        for (uint32_t i = 0; i < ACTORS; i++)
                m.threads[i].state = WIRE_T_DONE;
        return (struct trace){.events = m.events,
                              .n_events = TOTAL,
                              .n_transitions = TOTAL,
                              .threads = m.threads,
                              .n_threads = ACTORS,
                              .enabled = m.enabled,
                              .enabled_words = 1,
                              .end = WIRE_END_DONE,
                              .text = ""};
}

/* Explores to the end; what was run goes into a hash.  Every `every` steps the strategy is stored, before or after
 * next(), and replaced by its copy.  The number of executions. */
static uint32_t explore(struct strategy *(*create)(void), uint32_t every, bool given, uint64_t *hash)
{
        struct strategy *s = create(), *copy;
        struct schedule out = schedule();
        struct stream stream = STREAM_INIT;
        uint32_t n = 0;

        *hash = 0;
        for (;; n++) {
                bool cut = every && n % every == 0;
                if (cut && given)
                        CHECK(strategy_next(s, &out, 0) >= 0);
                if (cut) {
                        stream_reset(&stream);
                        s->ops->persist->save(s, &stream);
                        copy = create();
                        CHECK(copy->ops->persist->load(copy, &stream) == 0 && stream_done(&stream));
                        s->ops->destroy(s);
                        s = copy;
                        out = schedule();
                        memset(m.prefix, 0xff, 64 * sizeof *m.prefix);
                }
                if (strategy_next(s, &out, 0) <= 0)
                        break;
                CHECK(!cut || out.known == 0); /* the copy has learnt no trace */
                struct trace t = run(&out);
                CHECK(s->ops->learn(s, &t) == 0);
                for (uint32_t k = 0; k < TOTAL; k++)
                        *hash = stream_hash(*hash, &m.events[k].actor, sizeof m.events[k].actor);
        }
        CHECK(strategy_next(s, &out, 0) == 0);
        s->ops->destroy(s);
        stream_fini(&stream);
        return n;
}

static void same_after_load(struct strategy *(*create)(void))
{
        uint64_t whole, cut;
        uint32_t n = explore(create, 0, false, &whole);

        CHECK(n > 100);
        for (uint32_t every = 1; every < 20; every += 3)
                for (int given = 0; given < 2; given++)
                        CHECK(explore(create, every, given, &cut) == n && cut == whole);
}

/* Wrong bytes: whatever is believed, nothing is touched that is not there (the sanitizers look). */
static void damaged(struct strategy *(*create)(void))
{
        struct strategy *s = create();
        struct schedule out = schedule();
        struct stream good = STREAM_INIT, bad = STREAM_INIT;
        uint32_t refused = 0;

        srand(1);
        for (int i = 0; i < 60; i++) {
                CHECK(strategy_next(s, &out, 0) == 1);
                struct trace t = run(&out);
                CHECK(s->ops->learn(s, &t) == 0);
        }
        s->ops->persist->save(s, &good);
        for (int round = 0; round < 4000; round++) {
                struct strategy *copy = create();
                stream_reset(&bad);
                stream_put(&bad, good.at, round % 4 ? good.n : (size_t)rand() % good.n);
                for (int k = rand() % 4; k >= 0; k--)
                        bad.at[(size_t)rand() % (bad.n + 1)] = (unsigned char)(rand() % 5 ? rand() : 255);
                if (copy->ops->persist->load(copy, &bad) != 0)
                        refused++;
                else if (strategy_next(copy, &out, 0) == 1) {
                        struct trace t = run(&out);
                        if (copy->ops->learn(copy, &t) >= 0)
                                (void)strategy_next(copy, &out, 0);
                }
                copy->ops->destroy(copy);
        }
        CHECK(refused > 400);
        s->ops->destroy(s);
        stream_fini(&good);
        stream_fini(&bad);
}

static struct strategy *create_dfs(void)
{
        return dfs_create(BOUND_NONE);
}

static struct strategy *create_optimal(void)
{
        return optimal_create(false);
}

static struct strategy *create_icb(void)
{
        return bounded_create(0, BOUND_NONE, false);
}

static struct strategy *create_filters(const char *const *filters, uint32_t n, enum config_order order)
{
        struct config config = {.filters = filters, .n_filters = n, .order = order, .seed = 7, .cache = 1000000};

        return filters_create(&config, false, false);
}

static struct strategy *create_seen(void)
{
        static const char *const filters[] = {"seen", "depth"};
        return create_filters(filters, 2, ORDER_BREADTH_FIRST);
}

static struct strategy *create_super_step(void)
{
        static const char *const filters[] = {"super-step"};
        return create_filters(filters, 1, ORDER_FEWEST_PREEMPTIONS);
}

static struct strategy *create_filter_dpor(void)
{
        static const char *const filters[] = {"dpor", "seen"};
        return create_filters(filters, 2, ORDER_RANDOM);
}

static struct strategy *create_filter_dpor_breadth_first(void)
{
        static const char *const filters[] = {"dpor"};
        return create_filters(filters, 1, ORDER_BREADTH_FIRST);
}

static struct strategy *create_predict(void)
{
        static const struct config config = {.seed = 7};

        return predict_make(&config, false);
}

static struct strategy *create_random(void)
{
        static const struct config config = {.seed = 7};

        return random_make(&config, false);
}

#define PARTS 3u

struct part {
        struct strategy *(*create)(void);
        uint64_t first[PARTS]; /* seeds */
        uint64_t executions;
        uint32_t n;
};

/* Runs a part to its end. */
static bool take_part(void *arg, const struct stream *state, double size)
{
        struct part *p = arg;
        struct strategy *s = p->create();
        struct schedule out = schedule();
        struct stream in = {.at = state->at, .n = state->n};

        (void)size;
        CHECK(s->ops->persist->load(s, &in) == 0 && stream_done(&in));
        while (strategy_next(s, &out, 0) == 1) {
                struct trace t = run(&out);

                if (!p->first[p->n])
                        p->first[p->n] = out.run_seed;
                CHECK(s->ops->learn(s, &t) == 0);
                p->executions++;
        }
        s->ops->destroy(s);
        p->n++;
        return true;
}

/* Parts together have as many executions as the whole, and each has seeds of its own. */
static void divided(struct strategy *(*create)(void))
{
        struct part p = {.create = create};
        struct strategy *s = create();

        CHECK(s->ops->parts->divide(s, PARTS, take_part, &p));
        CHECK(p.n == PARTS && p.executions == 10000);
        CHECK(p.first[0] != p.first[1] && p.first[0] != p.first[2] && p.first[1] != p.first[2]);
        s->ops->destroy(s);
}

static void streams(void)
{
        struct stream s = STREAM_INIT;
        uint32_t n = 7;
        char *text;

        stream_put_u32(&s, 5);
        stream_put_text(&s, "loom");
        stream_put_u64(&s, UINT64_MAX);
        CHECK(stream_get_max(&s, 5) == 5);
        text = stream_get_text(&s, 4);
        CHECK(text && !strcmp(text, "loom"));
        free(text);
        CHECK(stream_get_u64(&s) == UINT64_MAX && stream_done(&s));
        CHECK(stream_get_u32(&s) == 0 && s.failed && !stream_done(&s));
        stream_reset(&s);
        stream_put_u32(&s, 1000); /* a count that the bytes do not bear out */
        CHECK(!stream_get_array(&s, 2000, 8, &n) && n == 0 && s.failed);
        stream_reset(&s);
        stream_put_u32(&s, 6);
        CHECK(stream_get_max(&s, 5) == 0 && s.failed);
        stream_fini(&s);
}

int main(void)
{
        streams();
        same_after_load(create_dfs);
        same_after_load(dpor_create);
        damaged(create_dfs);
        damaged(dpor_create);
        same_after_load(create_optimal);
        damaged(create_optimal);
        same_after_load(create_icb);
        damaged(create_icb);
        same_after_load(create_seen);
        damaged(create_seen);
        same_after_load(create_super_step);
        damaged(create_super_step);
        same_after_load(create_filter_dpor);
        damaged(create_filter_dpor);
        same_after_load(create_filter_dpor_breadth_first);
        damaged(create_filter_dpor_breadth_first);
        same_after_load(create_random);
        damaged(create_random);
        damaged(create_predict);
        divided(create_random);
        divided(create_predict);
        return 0;
}
