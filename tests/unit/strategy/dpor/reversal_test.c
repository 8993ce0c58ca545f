/* What the reversal of a race adds to wakeup trees. */
#include "strategy/dpor/reversal.h"

#include "../../events.h"
#include "strategy/dpor/optimal.h"

static struct wire_decision prefix[64];
static struct wire_sleep sleep_set[64];
static struct wire_access footprint[64];

/* The strategy after one execution. */
static struct optimal *after(struct wire_event *e, uint32_t n)
{
        struct strategy *s = optimal_create(false);
        struct schedule out = {.prefix = prefix, .sleep = sleep_set, .footprint = footprint};
        struct trace t = trace_of(e, n, 3);

        CHECK(s && strategy_next(s, &out, 0) == 1 && s->ops->learn(s, &t) == 0);
        CHECK(wakeup_tree_check(&((struct optimal *)s)->wakeup));
        return (struct optimal *)s;
}

/* Does the tree of node i hold just the sequence of these actors? */
static bool holds(const struct optimal *o, uint32_t i, const char *actors)
{
        uint32_t s = o->trees.at[i];

        for (; *actors; actors++) {
                if (!s || wakeup_tree_at(&o->wakeup, s)->next || wakeup_tree_at(&o->wakeup, s)->actor != *actors - '0')
                        return false;
                s = wakeup_tree_at(&o->wakeup, s)->child;
        }
        return !s;
}

static void destroy(struct optimal *o)
{
        o->base.ops->destroy(&o->base);
}

static void the_later_half_goes_first(void)
{
        struct wire_event e[] = {event(0, OP_WRITE, X), event(1, OP_WRITE, X)};
        struct optimal *o = after(e, 2);

        CHECK(holds(o, 0, "1") && holds(o, 1, ""));
        destroy(o);
}

/* What the later half needs comes along; what it does not need is omitted. */
static void with_its_past_and_no_more(void)
{
        struct wire_event e[] = {event(0, OP_WRITE, X), event(2, OP_WRITE, Z), event(1, OP_WRITE, Y),
                                 event(1, OP_WRITE, X)};
        struct optimal *o = after(e, 4);

        CHECK(holds(o, 0, "11") && holds(o, 1, "") && holds(o, 2, ""));
        destroy(o);
}

/* An event of the past that depends on the earlier half is not part of the reversal. */
static void without_what_the_earlier_half_precedes(void)
{
        struct wire_event e[] = {event(0, OP_WRITE, X), event(0, OP_WRITE, Y), event(1, OP_WRITE, Z),
                                 event(1, OP_READ, X)};
        struct optimal *o = after(e, 4);

        CHECK(holds(o, 0, "11") && holds(o, 1, ""));
        destroy(o);
}

/* Two races of one node: each actor is tried, in the order of the races, and once. */
static void two_races_of_a_node(void)
{
        struct wire_event e[] = {event(0, OP_WRITE, X), event(1, OP_READ, X), event(2, OP_READ, X)};
        struct optimal *o = after(e, 3);
        uint32_t first = o->trees.at[0], second = first ? wakeup_tree_at(&o->wakeup, first)->next : 0;

        CHECK(first && wakeup_tree_at(&o->wakeup, first)->actor == 1);
        CHECK(!second || wakeup_tree_at(&o->wakeup, second)->actor == 2);
        destroy(o);
}

/* A thread that is blocked at the end goes before what blocked it. */
static void a_blocked_thread_goes_first(void)
{
        struct wire_event e[] = {event(0, OP_MUTEX_LOCK, LOCK)};
        struct strategy *s = optimal_create(false);
        struct schedule out = {.prefix = prefix, .sleep = sleep_set, .footprint = footprint};
        struct wire_thread threads[] = {{.state = WIRE_T_DONE},
                                        {.state = WIRE_T_BLOCKED, .op = OP_MUTEX_LOCK, .obj = LOCK}};
        struct trace t = trace_of(e, 1, 2);

        t.threads = threads;
        CHECK(s && strategy_next(s, &out, 0) == 1 && s->ops->learn(s, &t) == 0);
        CHECK(holds((struct optimal *)s, 0, "1"));
        CHECK(strategy_next(s, &out, 0) == 1 && out.n_prefix == 1 && out.prefix[0].actor == 1);
        s->ops->destroy(s);
}

int main(void)
{
        the_later_half_goes_first();
        with_its_past_and_no_more();
        without_what_the_earlier_half_precedes();
        two_races_of_a_node();
        a_blocked_thread_goes_first();
        return 0;
}
