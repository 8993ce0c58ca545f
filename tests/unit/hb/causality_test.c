/* Clocks and races of small executions, and faults that causality_check() must see. */
#include "hb/causality.h"

#include "../events.h"
#include "hb/causality_check.h"

struct races {
        uint32_t n, i[16], actor[16];
};

static bool note(void *arg, uint32_t i, uint32_t actor, const uint32_t *past)
{
        struct races *r = arg;

        (void)past;
        CHECK(r->n < 16);
        r->i[r->n] = i;
        r->actor[r->n++] = actor;
        return true;
}

static void push(struct causality *c, struct races *r, struct wire_event e)
{
        r->n = 0;
        CHECK(causality_push(c, &e, 1, note, r));
        CHECK(causality_check(c, 0));
}

static bool before(const struct causality *c, uint32_t i, uint32_t j)
{
        return causality_before(c, i, causality_clock(c, j));
}

static void conflicts_are_ordered_and_race(void)
{
        struct causality c;
        struct races r;

        CHECK(causality_init(&c));
        push(&c, &r, event(0, OP_WRITE, X));
        CHECK(r.n == 0);
        push(&c, &r, event(1, OP_WRITE, Y));
        CHECK(r.n == 0 && !before(&c, 0, 1)); /* other bytes */
        push(&c, &r, event(1, OP_READ, X));
        CHECK(r.n == 1 && r.i[0] == 0 && r.actor[0] == 1 && before(&c, 0, 2) && before(&c, 1, 2));
        push(&c, &r, event(2, OP_READ, X));
        CHECK(r.n == 1 && r.i[0] == 0 && !before(&c, 2, 3)); /* reads do not conflict */
        push(&c, &r, event(1, OP_WRITE, Y));
        CHECK(r.n == 0 && !before(&c, 3, 4)); /* its own */
        causality_fini(&c);
}

static void creation_orders(void)
{
        struct causality c;
        struct races r;
        struct wire_event create = event(0, OP_CREATE, Z);

        create.choice = 1;
        CHECK(causality_init(&c));
        push(&c, &r, event(0, OP_WRITE, X));
        push(&c, &r, create);
        push(&c, &r, event(0, OP_WRITE, Y));
        push(&c, &r, event(1, OP_WRITE, X));
        CHECK(r.n == 0 && before(&c, 0, 3) && before(&c, 1, 3) && !before(&c, 2, 3));
        push(&c, &r, event(1, OP_WRITE, Y));
        CHECK(r.n == 1 && r.i[0] == 2); /* what the creator does later is not ordered */
        causality_fini(&c);
}

static void retreat_forgets(void)
{
        struct causality c;
        struct races r;

        CHECK(causality_init(&c));
        push(&c, &r, event(0, OP_WRITE, X));
        push(&c, &r, event(1, OP_WRITE, X));
        push(&c, &r, event(2, OP_WRITE, X));
        causality_pop(&c, 1);
        CHECK(causality_check(&c, 0) && c.trans.n == 1 && c.actors[1].last == CAUSALITY_NONE);
        push(&c, &r, event(2, OP_WRITE, X));
        CHECK(r.n == 1 && r.i[0] == 0 && c.trans.n == 2);
        causality_reset(&c);
        CHECK(causality_check(&c, 0));
        push(&c, &r, event(1, OP_WRITE, X));
        CHECK(r.n == 0);
        causality_fini(&c);
}

/* An operation that is blocked at the end races with what keeps it from running. */
static void blocked_races(void)
{
        struct causality c;
        struct races r = {0};
        struct wire_access lock = {.obj = LOCK, .size = 1, .actor = 1, .mode = WIRE_MODE_WRITE, .op = OP_MUTEX_LOCK};

        CHECK(causality_init(&c));
        push(&c, &r, event(0, OP_MUTEX_LOCK, LOCK));
        r.n = 0;
        CHECK(causality_blocked(&c, &lock, note, &r));
        CHECK(r.n == 1 && r.i[0] == 0 && r.actor[0] == 1 && !c.pending);
        causality_fini(&c);
}

#define FAULT(c, place, wrong)                   \
        do {                                     \
                __typeof__(place) kept_ = place; \
                place = wrong;                   \
                CHECK(!causality_check(c, 0));   \
                place = kept_;                   \
                CHECK(causality_check(c, 0));    \
        } while (0)

static void faults_are_seen(void)
{
        struct causality c;
        struct races r;

        CHECK(causality_init(&c));
        push(&c, &r, event(0, OP_WRITE, X));
        push(&c, &r, event(0, OP_READ, X));
        push(&c, &r, event(1, OP_WRITE, X));
        push(&c, &r, event(2, OP_WRITE, X));
        FAULT(&c, c.clocks.at[3 * c.stride + 0], 0u); /* not transitive: 2 happens before 3, 0 does not */
        FAULT(&c, c.clocks.at[3 * c.stride + 2], 3u); /* not its own number */
        FAULT(&c, c.clocks.at[3 * c.stride + 1], 2u); /* a transition of another actor */
        FAULT(&c, c.clocks.at[1 * c.stride + 2], 4u); /* in the future */
        FAULT(&c, c.settled, 3u);
        FAULT(&c, c.trans.at[1].prev, 2u);
        FAULT(&c, c.trans.at[2].rec_mark, 0u);
        FAULT(&c, c.actors[0].last, 0u);
        FAULT(&c, c.actors[1].all.n, 0u);
        FAULT(&c, c.recs.at[3].prev, 3u);
        FAULT(&c, c.recs.at[2].unread, 1u);
        FAULT(&c, c.recs.at[1].slot, c.recs.at[1].slot ^ 1);
        causality_fini(&c);
}

int main(void)
{
        conflicts_are_ordered_and_race();
        creation_orders();
        retreat_forgets();
        blocked_races();
        faults_are_seen();
        return 0;
}
