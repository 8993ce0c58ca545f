/* Clocks of synchronisation: what is released and acquired, which locks are held, and marks that take it back. */
#include "analysis/sync.h"

#include "../events.h"

static struct sync s;

static void step(uint32_t actor, uint32_t op, uint64_t obj, uint64_t state)
{
        struct wire_event e = event(actor, op, obj);

        e.value = state;
        sync_step(&s, &e);
        CHECK(!s.failed);
}

/* Does what `early` did in the epoch happen before what `late` does next? */
static bool before(uint32_t early, uint32_t epoch, uint32_t late)
{
        return sync_clock(&s, sync_now(&s, late))[early] >= epoch;
}

static void a_lock_hands_over(void)
{
        uint32_t epoch;

        CHECK(sync_init(&s, 3, false));
        epoch = sync_epoch(&s, 0);
        CHECK(!before(0, epoch, 1));
        step(0, OP_MUTEX_LOCK, LOCK, 0);
        CHECK(sync_held(&s, 0) && s.locks.at[sync_held(&s, 0) - 1].obj == LOCK);
        step(0, OP_MUTEX_UNLOCK, LOCK, 1);
        CHECK(!sync_held(&s, 0) && sync_epoch(&s, 0) > epoch);
        CHECK(!before(0, epoch, 1));
        step(1, OP_MUTEX_LOCK, LOCK, 0);
        CHECK(before(0, epoch, 1) && !before(0, sync_epoch(&s, 0), 1));
        CHECK(!before(0, epoch, 2));
        sync_fini(&s);
}

static void limited_locks_order_nothing(void)
{
        uint32_t epoch;

        CHECK(sync_init(&s, 3, true));
        epoch = sync_epoch(&s, 0);
        step(0, OP_MUTEX_LOCK, LOCK, 0);
        step(0, OP_MUTEX_UNLOCK, LOCK, 1);
        step(1, OP_MUTEX_LOCK, LOCK, 0);
        CHECK(!before(0, epoch, 1) && sync_held(&s, 1));
        sync_fini(&s);
}

static void a_mark_takes_back(void)
{
        struct sync_mark mark;
        uint32_t epoch;

        CHECK(sync_init(&s, 3, false));
        epoch = sync_epoch(&s, 0);
        step(0, OP_MUTEX_LOCK, LOCK, 0);
        mark = sync_mark(&s);
        step(0, OP_MUTEX_UNLOCK, LOCK, 1);
        step(1, OP_MUTEX_LOCK, LOCK, 0);
        CHECK(before(0, epoch, 1) && sync_held(&s, 1));
        sync_back(&s, mark);
        CHECK(!before(0, epoch, 1) && !sync_held(&s, 1) && sync_held(&s, 0) && sync_epoch(&s, 0) == epoch);
        sync_fini(&s);
}

static void granules_have_cells(void)
{
        uint32_t cells;

        CHECK(sync_init(&s, 2, false));
        CHECK(sync_granule(&s, X / 8, false) == UINT32_MAX);
        cells = sync_granule(&s, X / 8, true);
        CHECK(cells != UINT32_MAX && sync_granule(&s, X / 8, false) == cells && sync_granule(&s, Y / 8, true) != cells);
        sync_fini(&s);
}

int main(void)
{
        a_lock_hands_over();
        limited_locks_order_nothing();
        a_mark_takes_back();
        granules_have_cells();
        return 0;
}
