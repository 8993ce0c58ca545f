/*
 * Tail policies.  Run-to-block and round robin are for strategies that think for themselves.  Hold is a single schedule far
 * from these: each thread continues until it is about to write, so that what it has read grows stale while the others continue
 * to their writes; the main thread goes last, and the last waiter is woken first.  It lasts for SINGLE steps, then all
 * take turns: a thread that waits for the main thread without writing would never end.
 * The others draw from the run's seed, so the same seed gives the same execution:
 *
 * random  any of the enabled threads, with equal probability.
 * pct     Burckhardt, Kothari, Musuvathi, Nagarakatte: A randomized scheduler with probabilistic guarantees of finding
 *         bugs, ASPLOS 2010.  Threads have random priorities, and the highest enabled one runs; at depth - 1 random steps
 *         the thread that made the step falls below all that have not fallen.  A bug of that depth is met with a
 *         probability of at least 1 / (n k^(depth - 1)), n threads making at most k steps.
 * pos     Yuan, Yang, Gu: Partial order aware concurrency sampling, CAV 2018.  Every pending operation has a random
 *         priority of its own, drawn again for those that conflict with the one that runs.
 * focus   Zhao, Wolff, Mathur, Roychoudhury: Selectively uniform concurrency testing, ASPLOS 2025.  The thread that
 *         is next to use the one object in focus is drawn, each thread as probable as it has uses left, so that all
 *         orders of these are equally likely; the others wait before it.  Which of the enabled threads runs is drawn as in pos.
 *
 * Departure from pct: a thread that yields, sleeps, or runs alone for much longer than executions are long, falls below
 * all others, or a loop that waits for them would never end.  Departures from focus: if no thread comes to the object for as
 * long, the one that was drawn may wait in a loop for one that waits before the object: the rest is pos.  Uses of threads that are
 * not there yet are the main thread's, whichever creates them.  Departure from pos: the
 * rest of an execution that is much longer than others is random, since threads that wait in a loop draw again and again, and
 * one with a low priority would hardly ever run.
 */
#include "rt/sched/tail.h"

#include "base/hash.h"
#include "rt/fault.h"
#include "rt/position.h"
#include "rt/sched/enabled.h"
#include "rt/sched/path.h"
#include "rt/threads.h"
#include "rt/weak/mm.h"

#define FIRST_PRIORITY (UINT64_C(1) << 63) /* of a thread that has not fallen */
#define FALLEN         (UINT64_C(1) << 62) /* + i: at the i-th change point; below: given way */
#define PATIENCE       1000u
#define SINGLE         1000u
#define QUANTUM        100u

struct change {
        uint32_t step;
        uint32_t rank; /* the order in which they were drawn decides which ends up lower */
};

/* Of the run under way. */
static struct change changes[WIRE_MAX_CHANGES];
static uint32_t n_changes, next_change;
static uint64_t lowest;                 /* handed out to those that gave way */
static const struct thread *last;       /* the thread that has run ... */
static uint32_t alone;                  /* ... for so many steps in a row */
static const struct thread *gives_way;  /* it has yielded or slept */
static uint32_t uses[WIRE_MAX_THREADS]; /* of the object in focus that are expected of each actor from now on */
static struct thread *chosen;           /* the next to use it; NULL: not drawn */
static uint32_t unused;                 /* steps since a thread has used it */

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

bool tail_contrary(void)
{
        return rt.down->tail == WIRE_TAIL_HOLD && !rt.segments;
}

void tail_init_run(void)
{
        const struct wire_down *d = rt.down;
        uint32_t n = d->tail_depth ? d->tail_depth - 1 : 0;

        n_changes = next_change = alone = unused = 0;
        lowest = FALLEN;
        last = gives_way = chosen = NULL;
        if (d->tail == WIRE_TAIL_FOCUS)
                for (uint32_t i = 0; i < WIRE_MAX_THREADS; i++)
                        uses[i] = i < d->n_weights ? d->weights[i] : 0;
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

bool tail_can_run(const struct thread *t)
{
        return !t->sleep.asleep && sched_enabled(t);
}

struct thread *tail_any(void)
{
        uint32_t n = 0, k;

        for (uint32_t i = 0; i < ex.n_threads; i++)
                n += tail_can_run(&threads[i]);
        if (!n)
                return NULL;
        k = (uint32_t)(tail_random() % n);
        for (uint32_t i = 0;; i++)
                if (tail_can_run(&threads[i]) && !k--)
                        return &threads[i];
}

/* A priority for those that have none yet, in the order of their numbers. */
static void draw_missing(uint64_t above)
{
        for (uint32_t i = 0; i < ex.n_threads; i++)
                if (!threads[i].turn.priority && threads[i].state != WIRE_T_UNUSED)
                        threads[i].turn.priority = above | tail_random() >> 2 | 1;
}

static struct thread *highest(void)
{
        struct thread *n = NULL;

        for (uint32_t i = 0; i < ex.n_threads; i++)
                if (tail_can_run(&threads[i]) && (!n || threads[i].turn.priority > n->turn.priority))
                        n = &threads[i];
        return n;
}

/* Steps that are many for an execution. */
static uint32_t patience(void)
{
        return rt.down->tail_steps > PATIENCE / 2 ? rt.down->tail_steps * 2 : PATIENCE;
}

static struct thread *pick_pct(struct thread *t)
{
        struct thread *n;

        draw_missing(FIRST_PRIORITY);
        for (; next_change < n_changes && changes[next_change].step <= ex.n_transitions; next_change++)
                t->turn.priority = FALLEN + 1 + changes[next_change].rank;
        n = highest();
        if (!n || n != last) {
                last = n;
                alone = 0;
        } else if (++alone > patience()) {
                rt.up->gave_way++;
                n->turn.priority = --lowest;
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

/* The threads that draw again after the step of `n`: its next operation, and what conflicts with this one. */
static struct thread *pos_step(struct thread *n)
{
        if (!n)
                return NULL;
        n->turn.priority = 0;
        for (uint32_t i = 0; i < ex.n_threads; i++)
                if (conflict(&threads[i].pend, &n->pend))
                        threads[i].turn.priority = 0;
        return n;
}

static struct thread *pick_pos(void)
{
        if (ex.n_transitions > patience()) {
                rt.up->gave_way = 1;
                return tail_any();
        }
        draw_missing(0);
        return pos_step(highest());
}

static bool in_focus(const struct thread *t)
{
        return rt.down->n_weights && t->pend.obj == rt.down->focus;
}

/* Uses that are expected behind the next steps of a thread: those of threads that are not there yet are main's. */
static uint64_t uses_left(const struct thread *t)
{
        uint64_t n = uses[t->id];

        for (uint32_t i = 1; t->id == 0 && i < rt.down->n_weights; i++)
                if (i >= ex.n_threads || threads[i].state == WIRE_T_UNUSED)
                        n += uses[i];
        return n;
}

static struct thread *draw_user(void)
{
        uint64_t sum = 0, k;

        for (uint32_t i = 0; i < ex.n_threads; i++)
                if (tail_can_run(&threads[i]))
                        sum += uses_left(&threads[i]);
        if (!sum)
                return NULL;
        k = tail_random() % sum;
        for (uint32_t i = 0;; i++) {
                uint64_t n = tail_can_run(&threads[i]) ? uses_left(&threads[i]) : 0;
                if (k < n)
                        return &threads[i];
                k -= n;
        }
}

static struct thread *pick_focus(void)
{
        struct thread *n = NULL;

        if (unused > patience())
                return pick_pos();
        unused++;
        if (!chosen || !tail_can_run(chosen))
                chosen = draw_user();
        draw_missing(0);
        for (uint32_t i = 0; i < ex.n_threads; i++) {
                struct thread *t = &threads[i];
                if (tail_can_run(t) && (t == chosen || !in_focus(t)) && (!n || t->turn.priority > n->turn.priority))
                        n = t;
        }
        if (!n)
                n = highest();
        if (n && in_focus(n)) {
                uses[n->id] -= uses[n->id] > 0;
                chosen = NULL;
                unused = 0;
        }
        return pos_step(n);
}

static struct thread *first_from(uint32_t first)
{
        for (uint32_t i = 0; i < ex.n_threads; i++) {
                struct thread *n = &threads[(first + i) % ex.n_threads];
                if (tail_can_run(n))
                        return n;
        }
        return NULL;
}

/* Each for QUANTUM steps: long enough for threads that give way to each other at every step, and fair to all. */
static struct thread *take_turns(struct thread *t)
{
        return tail_can_run(t) && ex.n_transitions % QUANTUM ? t : first_from(t->id + 1u);
}

static struct thread *pick_hold(struct thread *t)
{
        if (t->id && tail_can_run(t) && op_mode(t->pend.op) != WIRE_MODE_WRITE)
                return t;
        for (uint32_t i = 1; i <= ex.n_threads; i++) {
                struct thread *n = &threads[(t->id + i) % ex.n_threads];
                if (n->id && tail_can_run(n))
                        return n;
        }
        return tail_can_run(&threads[0]) ? &threads[0] : NULL;
}

/* Would its turn be a timeout, maybe?  Others go first, or a loop that waits for them with a deadline never ends. */
static bool impatient(const struct thread *t)
{
        return op_has(t->pend.op, OPF_TIMED) || (t->pend.op == OP_FUTEX_RETURN && !t->wait.signalled);
}

static struct thread *run_to_block(struct thread *t)
{
        if (tail_can_run(t) && rt.down->tail == WIRE_TAIL_STAY)
                return t;
        if (gives_way == t) {
                gives_way = NULL;
                alone = 0;
                return first_from(t->id + 1u);
        }
        if (tail_can_run(t) && !impatient(t) && ++alone <= rt.down->fair_after)
                return t;
        if (alone > rt.down->fair_after) { /* it may count the rounds of a loop that only others end */
                alone = 0;
                return first_from(t->id + 1u);
        }
        alone = 0;
        for (uint32_t i = 0; i < ex.n_threads; i++)
                if (tail_can_run(&threads[i]) && !impatient(&threads[i]))
                        return &threads[i];
        return first_from(t->id + 1u);
}

struct thread *tail_pick(struct thread *t)
{
        struct thread *b;

        switch (rt.down->tail) {
        case WIRE_TAIL_RANDOM: return tail_any();
        case WIRE_TAIL_PCT: return pick_pct(t);
        case WIRE_TAIL_POS: return pick_pos();
        case WIRE_TAIL_PATH: return path_pick(t);
        case WIRE_TAIL_ROUND_ROBIN: return first_from(t->id + 1u);
        case WIRE_TAIL_FOCUS: return pick_focus();
        case WIRE_TAIL_HOLD: return ex.n_transitions < SINGLE ? pick_hold(t) : take_turns(t);
        }
        b = mm_next_flush(t); /* as early as can be: the first execution is one of sequential consistency */
        return b ? b : run_to_block(t);
}

void tail_yield(struct thread *t)
{
        gives_way = t;
        if (rt.live && rt.down->tail == WIRE_TAIL_PCT)
                t->turn.priority = --lowest;
}

/* Does the schedule have a choice value for the operation under way?  Then it is in *answer.  Only operations with CHOICES
 * may ask, since inside an atomic section they alone are transitions of their own, and a waiter that is cancelled, for the thread
 * that its signal goes to. */
static bool answered(uint32_t *answer)
{
        const struct wire_down *d = rt.down;

        if (RT_UNLIKELY(!op_has(rt_cur->pend.op, OPF_CHOICES | OPF_RELOCKS)))
                rt_fault("internal: an operation asks for a choice value and its row in op.def has no CHOICES");
        if (!rt.segments) {
                *answer = ex.choice;
                return ex.choice != WIRE_NO_CHOICE;
        }
        if (ex.choice_next >= d->n_choices || d->choices[ex.choice_next] & WIRE_CHOICE_SIGNAL)
                return false;
        *answer = d->choices[ex.choice_next++];
        return true;
}

bool tail_signal(const struct thread *t, uint32_t *choice)
{
        const uint32_t *next = &rt.down->choices[ex.choice_next];

        if (ex.choice_next + 2 >= rt.down->n_choices || !(next[0] & WIRE_CHOICE_SIGNAL) || next[1] != t->id ||
            next[2] != position_of(t))
                return false;
        *choice = next[0] & ~WIRE_CHOICE_SIGNAL;
        return true;
}

void tail_signal_taken(void)
{
        ex.choice_next += 3;
}

uint32_t op_choice(uint32_t count)
{
        uint32_t c;

        if (answered(&c) && (c < count || !ex.hinted))
                return c;
        return tail_chance() && ex.n_transitions >= rt.n_prefix ? (uint32_t)(tail_random() % count) : 0;
}

/* Is a value in the list? */
static bool listed(uint32_t first, uint32_t (*after)(const void *arg, uint32_t choice), const void *arg, uint32_t value)
{
        uint32_t c = first;

        while (c && c != value)
                c = after(arg, c);
        return c != 0;
}

uint32_t op_choice_of(uint32_t first, uint32_t (*after)(const void *arg, uint32_t choice), const void *arg)
{
        uint32_t n = 1, c;

        if (answered(&c) && (!ex.hinted || listed(first, after, arg, c)))
                return c;
        if (tail_contrary())
                while ((c = after(arg, first)) != 0)
                        first = c;
        if (!tail_chance() || ex.n_transitions < rt.n_prefix)
                return first;
        if (rt.down->tail == WIRE_TAIL_PATH && (c = path_wakes(first, after, arg)) != 0)
                return c;
        for (c = first; (c = after(arg, c)) != 0;)
                n++;
        for (c = (uint32_t)(tail_random() % n); c; c--)
                first = after(arg, first);
        return first;
}
