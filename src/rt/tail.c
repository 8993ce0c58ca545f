/*
 * Tail policies.  Run-to-block and round robin are for strategies that think for themselves.  Two are single schedules far
 * from these: alternate switches at every point, newest lets every thread go before those that are older.  They hold for
 * SINGLE steps only: two threads that give way to each other, or one that waits for an older one, would go on for ever.
 * The others draw from the run's seed, so the same seed gives the same execution:
 *
 * random  any of the enabled threads, with equal probability.
 * pct     Burckhardt, Kothari, Musuvathi, Nagarakatte: A randomized scheduler with probabilistic guarantees of finding
 *         bugs, ASPLOS 2010.  Threads have random priorities, and the highest enabled one runs; at depth - 1 random steps
 *         the thread that made the step falls below all that have not fallen.  A bug of that depth is met with a
 *         probability of at least 1 / (n k^(depth - 1)), n threads making at most k steps.
 * pos     Yuan, Yang, Gu: Partial order aware concurrency sampling, CAV 2018.  Every pending operation has a random
 *         priority of its own, drawn again for those that conflict with the one that runs.
 *
 * Departure from pct: a thread that yields, sleeps, or runs alone for much longer than executions are long, falls below
 * all others, or a loop that waits for them would never end.
 */
#include "rt/tail.h"

#include "rt/weak.h"

#define FIRST_PRIORITY (UINT64_C(1) << 63) /* of a thread that has not fallen */
#define FALLEN         (UINT64_C(1) << 62) /* + i: at the i-th change point; below: given way */
#define PATIENCE       1000u
#define SINGLE         10000u

struct change {
        uint32_t step;
        uint32_t rank; /* the order in which they were drawn decides who ends up lower */
};

/* Of the run under way. */
static struct change changes[WIRE_MAX_CHANGES];
static uint32_t n_changes, next_change;
static uint64_t lowest;           /* handed out to those that gave way */
static const struct thread *last; /* who has run ... */
static uint32_t alone;            /* ... for so many steps in a row */

uint64_t tail_random(void)
{
        ex.rng ^= ex.rng << 13;
        ex.rng ^= ex.rng >> 7;
        ex.rng ^= ex.rng << 17;
        return ex.rng;
}

bool tail_chance(void)
{
        return rt.down->tail >= WIRE_TAIL_RANDOM && !rt.segments;
}

void tail_init_run(void)
{
        const struct wire_down *d = rt.down;
        uint32_t n = d->tail_depth ? d->tail_depth - 1 : 0;

        n_changes = next_change = alone = 0;
        lowest = FALLEN;
        last = NULL;
        if (d->tail != WIRE_TAIL_PCT || !d->tail_steps)
                return;
        for (uint32_t i = 0; i < n && i < WIRE_MAX_CHANGES; i++) {
                struct change c = {.step = 1 + (uint32_t)(tail_random() % d->tail_steps), .rank = i};
                uint32_t k = n_changes++;
                for (; k > 0 && changes[k - 1].step > c.step; k--)
                        changes[k] = changes[k - 1];
                changes[k] = c;
        }
}

static bool can_run(const struct thread *t)
{
        return !t->asleep && sched_enabled(t);
}

static struct thread *pick_random(void)
{
        uint32_t n = 0, k;

        for (uint32_t i = 0; i < ex.n_threads; i++)
                n += can_run(&threads[i]);
        if (!n)
                return NULL;
        k = (uint32_t)(tail_random() % n);
        for (uint32_t i = 0;; i++)
                if (can_run(&threads[i]) && !k--)
                        return &threads[i];
}

/* A priority for those that have none yet, in the order of their numbers. */
static void draw_missing(uint64_t above)
{
        for (uint32_t i = 0; i < ex.n_threads; i++)
                if (!threads[i].priority && threads[i].state != WIRE_T_UNUSED)
                        threads[i].priority = above | tail_random() >> 2 | 1;
}

static struct thread *highest(void)
{
        struct thread *n = NULL;

        for (uint32_t i = 0; i < ex.n_threads; i++)
                if (can_run(&threads[i]) && (!n || threads[i].priority > n->priority))
                        n = &threads[i];
        return n;
}

static struct thread *pick_pct(struct thread *t)
{
        uint32_t patience = rt.down->tail_steps > PATIENCE / 2 ? rt.down->tail_steps * 2 : PATIENCE;
        struct thread *n;

        draw_missing(FIRST_PRIORITY);
        for (; next_change < n_changes && changes[next_change].step <= ex.n_transitions; next_change++)
                t->priority = FALLEN + 1 + changes[next_change].rank;
        n = highest();
        if (!n || n != last) {
                last = n;
                alone = 0;
        } else if (++alone > patience) {
                rt.up->gave_way++;
                n->priority = --lowest;
                alone = 0;
                n = highest();
        }
        return n;
}

static bool conflict(const struct pending *a, const struct pending *b)
{
        return a->obj < b->obj + b->size && b->obj < a->obj + a->size &&
               op_modes_conflict(op_mode(a->op), op_mode(b->op));
}

static struct thread *pick_pos(void)
{
        struct thread *n;

        draw_missing(0);
        n = highest();
        if (!n)
                return NULL;
        n->priority = 0; /* its next operation draws */
        for (uint32_t i = 0; i < ex.n_threads; i++)
                if (conflict(&threads[i].pend, &n->pend))
                        threads[i].priority = 0;
        return n;
}

static struct thread *first_from(uint32_t first)
{
        for (uint32_t i = 0; i < ex.n_threads; i++) {
                struct thread *n = &threads[(first + i) % ex.n_threads];
                if (can_run(n))
                        return n;
        }
        return NULL;
}

static struct thread *newest(void)
{
        for (uint32_t i = ex.n_threads; i-- > 0;)
                if (can_run(&threads[i]))
                        return &threads[i];
        return NULL;
}

/* Would its turn be a timeout, maybe?  Others go first, or a loop that waits for them with a deadline never ends. */
static bool impatient(const struct thread *t)
{
        return op_timed(t->pend.op) || (t->pend.op == OP_FUTEX_RETURN && !t->signalled);
}

static struct thread *run_to_block(struct thread *t)
{
        if (can_run(t) && (!impatient(t) || rt.down->tail == WIRE_TAIL_STAY))
                return t;
        for (uint32_t i = 0; i < ex.n_threads; i++)
                if (can_run(&threads[i]) && !impatient(&threads[i]))
                        return &threads[i];
        return first_from(t->id + 1u);
}

struct thread *tail_pick(struct thread *t)
{
        switch (rt.down->tail) {
        case WIRE_TAIL_RANDOM: return pick_random();
        case WIRE_TAIL_PCT: return pick_pct(t);
        case WIRE_TAIL_POS: return pick_pos();
        case WIRE_TAIL_ROUND_ROBIN: return first_from(t->id + 1u);
        case WIRE_TAIL_ALTERNATE:
                if (ex.n_transitions < SINGLE)
                        return first_from(t->id + 1u);
                break;
        case WIRE_TAIL_NEWEST:
                if (ex.n_transitions < SINGLE)
                        return newest();
                break;
        }
        if (RT_UNLIKELY(t->buffered)) { /* as early as can be: the first execution is one without weak memory */
                struct thread *b = weak_awake(t);
                if (b)
                        return b;
        }
        return run_to_block(t);
}

void tail_yield(struct thread *t)
{
        if (rt.live && rt.down->tail == WIRE_TAIL_PCT)
                t->priority = --lowest;
}
