/* The path: nodes and sleep sets over several executions, and faults that path_check() must see. */
#include "strategy/dpor/path.h"

#include "../../events.h"

static struct wire_decision prefix[64];
static struct wire_sleep sleep_set[64];
static struct wire_access footprint[64];

static bool pushed(void *arg, uint32_t i)
{
        (void)arg, (void)i;
        return true;
}

static bool count_race(void *arg, uint32_t i, uint32_t actor, const uint32_t *past)
{
        (void)i, (void)actor, (void)past;
        ++*(uint32_t *)arg;
        return true;
}

/* The execution; the number of its races. */
static uint32_t learn(struct path *p, struct wire_event *e, uint32_t n)
{
        static const struct path_hooks hooks = {.pushed = pushed, .race = count_race};
        struct trace t = trace_of(e, n, 3);
        uint32_t races = 0;

        CHECK(path_learn(p, &t, &hooks, &races) == 0 && path_check(p) && p->nodes.n == n);
        return races;
}

static struct schedule next(struct path *p)
{
        struct schedule s = {.prefix = prefix, .sleep = sleep_set, .footprint = footprint};

        CHECK(path_schedule(p, &s) == 1);
        return s;
}

/* 0 writes x, 1 writes x, 2 writes y. */
static void begin(struct path *p)
{
        struct wire_event e[] = {event(0, OP_WRITE, X), event(1, OP_WRITE, X), event(2, OP_WRITE, Y)};

        CHECK(path_init(p));
        CHECK(next(p).n_prefix == 0);
        CHECK(learn(p, e, 3) == 1);
}

/* An actor whose subtree is done sleeps until something conflicts with it. */
static void sleepers_wake(void)
{
        struct path p;
        struct wire_event e[] = {event(2, OP_WRITE, Y), event(1, OP_WRITE, X), event(0, OP_WRITE, X)};
        struct schedule s;

        begin(&p);
        CHECK(path_turn(&p, 0, 2) && path_check(&p));
        s = next(&p);
        CHECK(s.n_prefix == 1 && s.prefix[0].actor == 2 && s.known == 0);
        CHECK(s.n_sleep == 1 && s.sleep[0].actor == 0 && s.footprint[s.sleep[0].first].obj == X);
        CHECK(learn(&p, e, 3) == 1);
        CHECK(path_sleeps(&p, &p.nodes.at[1], 0) && !path_sleeps(&p, &p.nodes.at[2], 0));
        CHECK(p.woken.n == 1 && p.woken.at[0].node == 1);
        path_fini(&p);
}

/* Deeper nodes are cut, and the part before the branch is known. */
static void a_turn_cuts(void)
{
        struct path p;
        struct wire_event e[] = {event(0, OP_WRITE, X), event(2, OP_WRITE, Y), event(1, OP_WRITE, X)};
        struct schedule s;

        begin(&p);
        CHECK(path_turn(&p, 1, 2));
        CHECK(p.nodes.n == 2 && p.causality.trans.n == 1 && path_sleeps(&p, &p.nodes.at[1], 1));
        s = next(&p);
        CHECK(s.n_prefix == 2 && s.prefix[0].actor == 0 && s.prefix[1].actor == 2 && s.known == 1);
        CHECK(learn(&p, e, 3) == 1);
        CHECK(path_sleeps(&p, &p.nodes.at[2], 1)); /* what 2 did does not concern it */
        path_clear(&p);
        CHECK(path_check(&p));
        path_fini(&p);
}

static void streams(void)
{
        struct path p, copy;
        struct stream s = STREAM_INIT;
        struct wire_event e[] = {event(0, OP_WRITE, X), event(2, OP_WRITE, Y), event(1, OP_WRITE, X)};

        begin(&p);
        CHECK(path_turn(&p, 1, 2));
        path_save(&p, p.nodes.n, &s);
        CHECK(path_init(&copy) && path_load(&copy, &s) && path_check(&copy));
        CHECK(next(&copy).known == 0); /* its causality comes with the next trace */
        CHECK(learn(&copy, e, 3) == 1 && path_sleeps(&copy, &copy.nodes.at[2], 1));
        stream_fini(&s);
        path_fini(&p);
        path_fini(&copy);
}

/* The branch of an actor with one choice value. */
static struct wire_event branch(uint32_t actor, uint64_t obj, uint32_t choice, uint32_t next_choice)
{
        struct wire_event e = event(actor, OP_WRITE, obj);

        e.choice = choice;
        e.next_choice = next_choice;
        return e;
}

/* A branch that sleeps is run once more, and wakes others after it: all of this is cut.  2 sleeps at the first node, and so
 * do both branches of 0: one writes x, the other y. */
static void a_redundant_branch_is_cut(void)
{
        static const struct path_hooks hooks = {.pushed = pushed, .race = count_race};
        struct wire_event first[] = {event(2, OP_WRITE, Z), branch(0, X, 0, 1), event(1, OP_WRITE, Y),
                                     event(1, OP_WRITE, Z)};
        struct wire_event one[] = {branch(0, X, 0, 1), event(1, OP_WRITE, Y), event(1, OP_WRITE, Z),
                                   event(2, OP_WRITE, Z)};
        struct wire_event other[] = {branch(0, Y, 1, WIRE_NO_CHOICE), one[1], one[2], one[3]};
        struct wire_event again[] = {one[1], one[0], one[2], one[3]};
        struct trace t = trace_of(again, 4, 3);
        uint32_t races = 0;
        struct stream s = STREAM_INIT;
        struct path p, copy;

        CHECK(path_init(&p) && path_init(&copy));
        next(&p);
        learn(&p, first, 4);
        CHECK(path_turn(&p, 0, 0));
        next(&p);
        learn(&p, one, 4);
        CHECK(path_turn_branch(&p, 0));
        next(&p);
        learn(&p, other, 4);
        CHECK(path_turn(&p, 0, 1));
        next(&p);
        CHECK(path_learn(&p, &t, &hooks, &races) == 1 && path_check(&p));
        CHECK(p.nodes.n == 2 && p.woken.n == 1 && p.causality.trans.n == 2);
        path_save(&p, p.nodes.n, &s);
        CHECK(path_load(&copy, &s));
        stream_fini(&s);
        path_fini(&p);
        path_fini(&copy);
}

#define FAULT(place, wrong)                      \
        do {                                     \
                __typeof__(place) kept_ = place; \
                place = wrong;                   \
                CHECK(!path_check(&p));          \
                place = kept_;                   \
                CHECK(path_check(&p));           \
        } while (0)

static void faults_are_seen(void)
{
        struct path p;
        struct wire_event e[] = {event(2, OP_WRITE, Y), event(1, OP_WRITE, X), event(0, OP_WRITE, X)};

        begin(&p);
        CHECK(path_turn(&p, 0, 2));
        learn(&p, e, 3);
        FAULT(p.nodes.at[1].sleep, 0u); /* the sleep set of another node */
        FAULT(p.nodes.at[1].part, 2u);
        FAULT(p.nodes.at[2].decision, 1u);
        FAULT(p.nodes.at[0].fp_top, 9u);
        FAULT(p.nodes.at[2].acc, 0u);
        FAULT(p.nodes.at[1].entry, 0u);
        FAULT(p.sleepers.at[1].actor, (uint16_t)1); /* did not sleep at the node before */
        FAULT(p.sleepers.at[0].fp, 5u);
        FAULT(p.woken.at[0].node, 7u);
        FAULT(p.branch, 3u);
        FAULT(p.causality.trans.n, 1u);
        path_fini(&p);
}

int main(void)
{
        sleepers_wake();
        a_turn_cuts();
        streams();
        a_redundant_branch_is_cut();
        faults_are_seen();
        return 0;
}
