/* Common nodes: what a worker gives back is handed out, and faults that jobtree_check() must see. */
#include "parallel/jobtree.h"

#include "../events.h"
#include "parallel/jobtree_node.h"
#include "strategy/dpor/optimal.h"
#include "strategy/share.h"

static struct wire_decision prefix[64];
static struct wire_sleep sleep_set[64];
static struct wire_access footprint[64];

static struct schedule schedule(void)
{
        return (struct schedule){.prefix = prefix, .sleep = sleep_set, .footprint = footprint};
}

/* A worker that has run 0, 1, 2, each writing x, and must run the reversals. */
static struct strategy *worker(void)
{
        struct wire_event e[] = {event(0, OP_WRITE, X), event(1, OP_WRITE, X), event(2, OP_WRITE, X)};
        struct strategy *s = optimal_create(false);
        struct schedule out = schedule();
        struct trace t = trace_of(e, 3, 3);

        CHECK(s && strategy_next(s, &out, 0) == 1 && s->ops->learn(s, &t) == 0);
        return s;
}

/* The tree after the worker has split its subtree; `place` is where it continues. */
static void split(struct jobtree *t, struct jobtree_place *place, struct strategy *s)
{
        struct stream message = STREAM_INIT;

        *place = (struct jobtree_place){0};
        CHECK(s->ops->share->split(s, &message));
        CHECK(jobtree_split(t, place, &message) == 0 && jobtree_check(t));
        CHECK(t->n_nodes == 1 && place->node && place->node->depth == 0 && jobtree_has(t));
        stream_fini(&message);
}

static void a_branch_is_handed_out(void)
{
        struct jobtree t = {0};
        struct jobtree_place place, other;
        struct stream task = STREAM_INIT;
        struct strategy *s = worker(), *taker = optimal_create(false);
        struct schedule out = schedule();

        split(&t, &place, s);
        CHECK(jobtree_weight(&place) == 0.5 && jobtree_left(&t, 0) == 0.5);
        CHECK(jobtree_give(&t, &task, &other) && jobtree_check(&t));
        CHECK(other.node == place.node && other.branch == 1 && !jobtree_has(&t));
        CHECK(stream_get_u32(&task) == TASK_BRANCH && taker->ops->share->adopt(taker, &task) == 0);
        CHECK(strategy_next(taker, &out, 0) == 1 && out.n_prefix == 1 && out.prefix[0].actor == 1);
        CHECK(out.n_sleep == 1 && out.sleep[0].actor == 0); /* the worker's branch */
        jobtree_done(&t, &place);
        CHECK(t.n_nodes == 1);
        jobtree_done(&t, &other);
        CHECK(t.n_nodes == 0);
        stream_fini(&task);
        jobtree_fini(&t);
        s->ops->destroy(s);
        taker->ops->destroy(taker);
}

/* What conflicts with a branch and is enabled there is a branch before a race calls for it: 2, whose race is with 1. */
static void branches_are_seeded(void)
{
        struct wire_event e[] = {event(0, OP_WRITE, X), event(1, OP_WRITE, X), event(2, OP_WRITE, X)};
        uint64_t enabled[] = {7, 6, 4};
        struct trace t = trace_of(e, 3, 3);
        struct stream message = STREAM_INIT;
        struct jobtree tree = {0};
        struct jobtree_place place = {0};
        struct strategy *s = worker();

        CHECK(s->ops->share->seed(s, &t)); /* without enabled sets nothing is known */
        t.enabled = enabled;
        t.enabled_words = 1;
        CHECK(s->ops->share->seed(s, &t));
        CHECK(s->ops->share->split(s, &message) && jobtree_split(&tree, &place, &message) == 0);
        CHECK(place.node->branches.n == 3 && jobtree_check(&tree));
        jobtree_done(&tree, &place);
        jobtree_fini(&tree);
        stream_fini(&message);
        s->ops->destroy(s);
}

/* A race adds a branch, once: actor 2 must go first from the common node. */
static void a_race_adds_a_branch(void)
{
        struct jobtree t = {0};
        struct jobtree_place place;
        struct stream race = STREAM_INIT;
        struct strategy *s = worker();
        uint64_t initials[SHARE_WORDS] = {4}, weak[SHARE_WORDS] = {0};

        split(&t, &place, s);
        CHECK(place.node->branches.n == 2);
        for (int i = 0; i < 2; i++) {
                stream_reset(&race);
                stream_put_u32(&race, 0);
                stream_put(&race, initials, sizeof initials);
                stream_put(&race, weak, sizeof weak);
                stream_put_u32(&race, 2);
                stream_put_array(&race, NULL, 0, sizeof(uint32_t));
                wakeup_tree_put_none(&race);
                CHECK(jobtree_race(&t, &place, &race) == 0 && jobtree_check(&t));
                CHECK(place.node->branches.n == 3);
        }
        jobtree_done(&t, &place);
        jobtree_fini(&t);
        stream_fini(&race);
        s->ops->destroy(s);
}

/* A race with what may begin with actor `initial`, to run this first. */
static void tell_race(struct jobtree *t, const struct jobtree_place *place, uint32_t initial, uint32_t actor,
                      enum wakeup_sure sure)
{
        uint64_t initials[SHARE_WORDS] = {UINT64_C(1) << initial}, weak[SHARE_WORDS] = {0};
        struct wire_access a = {.obj = X, .size = 8, .actor = (uint16_t)actor, .mode = WIRE_MODE_READ, .op = OP_LOAD};
        struct wakeup_tree steps = {0};
        struct stream race = STREAM_INIT;

        stream_put_u32(&race, 0);
        stream_put(&race, initials, sizeof initials);
        stream_put(&race, weak, sizeof weak);
        stream_put_u32(&race, actor);
        stream_put_array(&race, NULL, 0, sizeof(uint32_t));
        wakeup_tree_put(&steps, wakeup_tree_add(&steps, (uint16_t)actor, OP_LOAD, &a, 1, sure), &race);
        CHECK(jobtree_race(t, place, &race) == 0 && jobtree_check(t));
        wakeup_tree_fini(&steps);
        stream_fini(&race);
}

/* Hands out the next branch, actor's, and tells what its first transition was. */
static void run_branch(struct jobtree *t, uint32_t actor, bool waits, bool wasted)
{
        struct strategy *taker = optimal_create(false);
        struct schedule out = schedule();
        struct jobtree_place place;
        struct stream task = STREAM_INIT, first = STREAM_INIT;

        CHECK(jobtree_give(t, &task, &place));
        CHECK(stream_get_u32(&task) == TASK_BRANCH && taker->ops->share->adopt(taker, &task) == 0);
        CHECK(strategy_next(taker, &out, 0) == 1 && out.prefix[0].actor == actor && out.prefix[0].waits == waits);
        stream_put_array(&first, NULL, 0, sizeof(uint32_t));
        stream_put_array(&first, NULL, 0, sizeof(uint32_t));
        stream_put_array(&first, NULL, 0, sizeof(struct wire_access));
        stream_put_u32(&first, wasted);
        CHECK(jobtree_first(t, &place, &first) == 0 && jobtree_check(t));
        jobtree_done(t, &place);
        stream_fini(&task);
        stream_fini(&first);
        taker->ops->destroy(taker);
}

/* Nothing relies on a branch that may have to wait: what begins with its actor, and has another one first, is a branch. */
static void a_branch_that_waits_covers_nothing(bool wasted)
{
        struct jobtree t = {0};
        struct jobtree_place place;
        struct strategy *s = worker();

        split(&t, &place, s);
        run_branch(&t, 1, false, false);
        for (int i = 0; i < 2; i++) { /* once */
                tell_race(&t, &place, 2, 2, WAKEUP_WAITS);
                CHECK(place.node->branches.n == 3);
        }
        tell_race(&t, &place, 2, 2, WAKEUP_SURE); /* if it is possible, that branch has it */
        CHECK(place.node->branches.n == 3);
        tell_race(&t, &place, 2, 3, WAKEUP_SURE);
        CHECK(place.node->branches.n == 4);
        run_branch(&t, 2, true, wasted);
        tell_race(&t, &place, 2, 4, WAKEUP_SURE); /* in its past, it has run; or is not possible */
        CHECK(place.node->branches.n == 4);
        run_branch(&t, 3, false, false);
        jobtree_done(&t, &place);
        CHECK(t.n_nodes == 0);
        jobtree_fini(&t);
        s->ops->destroy(s);
}

static void streams(void)
{
        struct jobtree t = {0}, copy = {0};
        struct jobtree_place place, there;
        struct stream s = STREAM_INIT;
        struct strategy *w = worker();

        split(&t, &place, w);
        jobtree_save(&t, &place, 1, &s);
        CHECK(jobtree_load(&copy, &there, 1, &s) && stream_done(&s) && jobtree_check(&copy));
        CHECK(copy.n_nodes == 1 && there.node->branches.n == 2 && jobtree_has(&copy));
        jobtree_done(&t, &place);
        jobtree_done(&copy, &there);
        jobtree_drop(&copy, 0);
        CHECK(copy.n_nodes == 0);
        jobtree_fini(&t);
        jobtree_fini(&copy);
        stream_fini(&s);
        w->ops->destroy(w);
}

#define FAULT(place, wrong)                      \
        do {                                     \
                __typeof__(place) kept_ = place; \
                place = wrong;                   \
                CHECK(!jobtree_check(&t));       \
                place = kept_;                   \
                CHECK(jobtree_check(&t));        \
        } while (0)

static void faults_are_seen(void)
{
        struct jobtree t = {0};
        struct jobtree_place place;
        struct jobtree_node other = {0};
        struct strategy *s = worker();

        split(&t, &place, s);
        FAULT(place.node->waits, false);
        FAULT(place.node->given, 2u); /* nothing to hand out */
        FAULT(place.node->live, 0u);
        FAULT(place.node->state->users, 0u);
        FAULT(place.node->back[0], UINT64_C(1)); /* a branch of an actor that has none */
        FAULT(place.node->branches.at[1].known, true);
        FAULT(place.node->parent, &other);
        FAULT(t.n_nodes, 0u);
        jobtree_done(&t, &place);
        jobtree_fini(&t);
        s->ops->destroy(s);
}

int main(void)
{
        a_branch_is_handed_out();
        branches_are_seeded();
        a_race_adds_a_branch();
        a_branch_that_waits_covers_nothing(false);
        a_branch_that_waits_covers_nothing(true);
        streams();
        faults_are_seen();
        return 0;
}
