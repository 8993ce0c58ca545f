/* The race detector on small traces: what races, what does not, and a trace that shares a prefix with the one before. */
#include "analysis/race.h"

#include "../events.h"

#define ENTRIES 16

static struct wire_event at[ENTRIES];
static uint32_t n;

static void add(uint32_t actor, uint32_t op, uint64_t obj)
{
        at[n] = event(actor, op, obj);
        at[n].site = 0x1000 + 16 * n;
        if (op_object(op) == OP_OBJ_MUTEX)
                at[n].value = op == OP_MUTEX_UNLOCK ? actor + 1 : 0; /* the state before */
        n++;
}

/* How many pairs race in the trace that was added. */
static uint32_t races(struct race_detector *d)
{
        struct trace t = trace_of(at, n, 3);

        CHECK(race_look(d, &t) == 0);
        return (uint32_t)d->found.n;
}

static struct race_detector detector(bool limited)
{
        struct race_detector d;

        n = 0;
        race_init(&d, limited);
        return d;
}

static void unordered_accesses_race(void)
{
        struct race_detector d = detector(false);

        add(0, OP_WRITE, X);
        add(1, OP_READ, X);
        CHECK(races(&d) == 1);
        CHECK(d.found.at[0].early == 0 && d.found.at[0].late == 1);
        race_fini(&d);
}

static void reads_and_other_bytes_do_not(void)
{
        struct race_detector d = detector(false);

        add(0, OP_READ, X);
        add(1, OP_READ, X);
        add(0, OP_WRITE, Y);
        add(1, OP_WRITE, Z);
        CHECK(races(&d) == 0);
        race_fini(&d);
}

static void under_lock(uint32_t actor, uint64_t lock)
{
        add(actor, OP_MUTEX_LOCK, lock);
        add(actor, OP_WRITE, X);
        add(actor, OP_MUTEX_UNLOCK, lock);
}

static void a_common_lock_orders(void)
{
        struct race_detector d = detector(false), l;

        under_lock(0, LOCK);
        under_lock(1, LOCK);
        CHECK(races(&d) == 0);
        race_fini(&d);
        l = detector(true);
        under_lock(0, LOCK);
        under_lock(1, LOCK);
        CHECK(races(&l) == 0);
        race_fini(&l);
}

/* The lock orders the accesses in this trace by chance: they may race in another one. */
static void limited_order_sees_more(void)
{
        struct race_detector d = detector(false), l;

        add(0, OP_WRITE, X);
        add(0, OP_MUTEX_LOCK, LOCK);
        add(0, OP_MUTEX_UNLOCK, LOCK);
        add(1, OP_MUTEX_LOCK, LOCK);
        add(1, OP_MUTEX_UNLOCK, LOCK);
        add(1, OP_WRITE, X);
        CHECK(races(&d) == 0);
        race_fini(&d);
        race_init(&l, true);
        CHECK(races(&l) == 1);
        race_fini(&l);
}

static void other_locks_do_not_order(void)
{
        struct race_detector d = detector(false);

        under_lock(0, LOCK);
        under_lock(1, LOCK + 64);
        CHECK(races(&d) == 1);
        race_fini(&d);
}

static void creation_orders(void)
{
        struct race_detector d = detector(false);

        add(0, OP_WRITE, X);
        add(0, OP_CREATE, WIRE_OBJ_THREAD(1));
        at[n - 1].choice = 1;
        add(1, OP_WRITE, X);
        add(0, OP_WRITE, X); /* after the creation: a race */
        CHECK(races(&d) == 1 && d.found.at[0].early == 2 && d.found.at[0].late == 3);
        race_fini(&d);
}

/* A second trace that differs from entry 1 on. */
static void a_trace_is_taken_back(void)
{
        struct race_detector d = detector(false);

        add(0, OP_WRITE, X);
        add(1, OP_WRITE, X);
        CHECK(races(&d) == 1);
        n = 1;
        add(1, OP_WRITE, Y);
        CHECK(races(&d) == 0);
        n = 1;
        add(1, OP_WRITE, X);
        CHECK(races(&d) == 1);
        race_fini(&d);
}

int main(void)
{
        unordered_accesses_race();
        reads_and_other_bytes_do_not();
        a_common_lock_orders();
        limited_order_sees_more();
        other_locks_do_not_order();
        creation_orders();
        a_trace_is_taken_back();
        return 0;
}
