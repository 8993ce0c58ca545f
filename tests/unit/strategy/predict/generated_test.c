/*
 * Predictions from generated traces agree with brute force over all sync-preserving reorderings: exactly the races and the
 * deadlocks that one of them has are predicted, and each prediction is a schedule that shows its race or deadlock.
 *
 * A trace has threads that read, write and update variables, and take and release mutexes and read-write locks.  Every entry has
 * a source location of its own, so that pairs of locations are pairs of entries.
 */
#include "strategy/predict/conflicts.h"
#include "strategy/predict/cycles.h"

#include <string.h>

#include "base/hash.h"
#include "../../events.h"

enum { THREADS = 4, VARIABLES = 2, LOCKS = 3, EVENTS = 20, FREE = 0 };

struct sample {
        uint32_t n, threads;
        struct wire_event events[EVENTS + 1];
        struct trace trace;
        uint32_t of[THREADS][EVENTS], length[THREADS];
        uint32_t from[EVENTS + 1]; /* of a read: entry + 1 of its write; of a trylock that failed: of the acquire */
};

struct world { /* after some entries */
        uint32_t done[THREADS];
        uint32_t writer[VARIABLES];
        uint32_t holders[LOCKS][THREADS]; /* entry + 1 of the acquire of each thread that holds it */
        uint32_t latest[LOCKS][2];        /* acquires so far: the latest of all, of the exclusive ones; entry + 1 */
};

static uint64_t drawn;

static uint32_t draw(uint32_t n)
{
        drawn = hash_draw(drawn);
        return (uint32_t)(drawn % n);
}

static uint64_t variable(uint32_t i)
{
        return X + 8 * i;
}

static uint64_t lock(uint32_t i)
{
        return LOCK + 8 * i;
}

static uint32_t number(const struct wire_event *e)
{
        return (uint32_t)(e->obj >= LOCK ? (e->obj - LOCK) / 8 : (e->obj - X) / 8);
}

static bool is_access(const struct wire_event *e)
{
        return e->obj < LOCK;
}

static bool is_acquire(const struct wire_event *e)
{
        return e->op == OP_MUTEX_LOCK || e->op == OP_RWLOCK_WRLOCK || e->op == OP_RWLOCK_RDLOCK;
}

/* Brute force. */

/* Is the lock of this entry free for it? */
static bool may_take(const struct world *w, const struct wire_event *e)
{
        uint32_t l = number(e);

        for (uint32_t t = 0; t < THREADS; t++)
                if (w->holders[l][t]) {
                        const bool shared = e->op == OP_RWLOCK_RDLOCK && w->latest[l][1] < w->holders[l][t];
                        if (!shared)
                                return false;
                }
        return true;
}

/* Runs entry i; false: it would do something else than in the trace, or not preserve the order of sections. */
static bool step(const struct sample *s, struct world *w, uint32_t i)
{
        const struct wire_event *e = &s->events[i];
        uint32_t x = number(e);

        w->done[e->actor]++;
        if (is_access(e)) {
                if ((e->mode == WIRE_MODE_READ || e->op == OP_RMW) && w->writer[x] != s->from[i])
                        return false;
                if (e->mode == WIRE_MODE_WRITE)
                        w->writer[x] = i + 1;
                return true;
        }
        if (e->op == OP_MUTEX_TRYLOCK) {
                for (uint32_t t = 0; t < THREADS; t++)
                        if (w->holders[x][t] == s->from[i] && s->from[i])
                                return true;
                return false;
        }
        if (!is_acquire(e)) {
                w->holders[x][e->actor] = 0;
                return true;
        }
        if (w->latest[x][e->op == OP_RWLOCK_RDLOCK] > i || !may_take(w, e))
                return false;
        w->holders[x][e->actor] = i + 1;
        w->latest[x][0] = i + 1 > w->latest[x][0] ? i + 1 : w->latest[x][0];
        if (e->op != OP_RWLOCK_RDLOCK)
                w->latest[x][1] = i + 1;
        return true;
}

static uint32_t next_of(const struct sample *s, const struct world *w, uint32_t t)
{
        return w->done[t] < s->length[t] ? s->of[t][w->done[t]] : EVENTS;
}

static bool conflicting(const struct wire_event *a, const struct wire_event *b)
{
        return is_access(a) && is_access(b) && a->obj == b->obj &&
               (a->mode == WIRE_MODE_WRITE || b->mode == WIRE_MODE_WRITE) && !(a->flags & b->flags & WIRE_EV_ATOMIC);
}

struct truth {
        bool race[EVENTS][EVENTS];
        struct index_map deadlocks; /* sets of entries */
        struct index_map seen;
};

static uint64_t key_of_world(const struct world *w)
{
        return hash_bytes(HASH_FNV_START, w, sizeof *w);
}

/* The set of entries that wait in a cycle with this thread, 0: none.  Each waits for one that keeps it from its lock. */
static void cycles_from(const struct sample *s, const struct world *w, uint32_t first, uint32_t t, uint32_t set,
                        struct truth *out)
{
        uint32_t i = next_of(s, w, t);

        if (i == EVENTS || !is_acquire(&s->events[i]))
                return;
        set |= 1u << i;
        for (uint32_t u = 0; u < s->threads; u++) {
                uint32_t k = w->holders[number(&s->events[i])][u];

                if (!k || u == t || (s->events[i].op == OP_RWLOCK_RDLOCK && s->events[k - 1].op == OP_RWLOCK_RDLOCK))
                        continue;
                if (u == first)
                        *index_map_at(&out->deadlocks, set) = 1;
                else if (u > first && next_of(s, w, u) != EVENTS && !(set >> next_of(s, w, u) & 1))
                        cycles_from(s, w, first, u, set, out);
        }
}

static void explore(const struct sample *s, const struct world *w, struct truth *out)
{
        uint32_t *seen = index_map_at(&out->seen, key_of_world(w));

        if (*seen)
                return;
        *seen = 1;
        for (uint32_t t = 0; t < s->threads; t++)
                for (uint32_t u = 0; u < t; u++) {
                        uint32_t a = next_of(s, w, t), b = next_of(s, w, u);
                        if (a < EVENTS && b < EVENTS && conflicting(&s->events[a], &s->events[b]))
                                out->race[a][b] = out->race[b][a] = true;
                }
        for (uint32_t t = 0; t < s->threads; t++)
                cycles_from(s, w, t, t, 0, out);
        for (uint32_t t = 0; t < s->threads; t++) {
                struct world after = *w;
                if (next_of(s, w, t) < EVENTS && step(s, &after, next_of(s, w, t)))
                        explore(s, &after, out);
        }
}

/* Traces. */

/* An entry of a thread that is possible now. */
static struct wire_event draw_event(const struct world *w, uint32_t t, uint32_t mutexes)
{
        uint32_t l = draw(LOCKS), x = draw(VARIABLES), what = draw(8);
        struct wire_event e = event(t, OP_READ, variable(x));

        if (what >= 4) {
                bool rw = l >= mutexes;
                uint32_t op = rw ? draw(2) ? OP_RWLOCK_RDLOCK : OP_RWLOCK_WRLOCK : OP_MUTEX_LOCK;
                struct wire_event take = event(t, op, lock(l));

                if (w->holders[l][t])
                        return event(t, rw ? OP_RWLOCK_UNLOCK : OP_MUTEX_UNLOCK, lock(l));
                if (may_take(w, &take))
                        return take;
                if (!rw && draw(2)) {
                        take = event(t, OP_MUTEX_TRYLOCK, lock(l));
                        take.mode = WIRE_MODE_READ;
                        take.flags |= WIRE_EV_FAILED;
                        return take;
                }
        }
        if (what == 1 || what == 2)
                e = event(t, OP_WRITE, variable(x));
        if (what == 3) {
                e = event(t, OP_RMW, variable(x));
                e.flags |= WIRE_EV_ATOMIC;
        }
        return e;
}

static uint32_t seen_by(const struct world *w, const struct wire_event *e)
{
        uint32_t r = 0;

        if (is_access(e))
                return w->writer[number(e)];
        for (uint32_t t = 0; t < THREADS; t++)
                r = w->holders[number(e)][t] ? w->holders[number(e)][t] : r;
        return r;
}

/* Entry i is this one; false: it cannot be. */
static bool append(struct sample *s, struct world *w, struct wire_event e)
{
        struct world after = *w;
        uint32_t i = s->n;

        s->events[i] = e;
        s->events[i].site = 1000 + i;
        s->from[i] = seen_by(w, &e);
        if (i == EVENTS || !step(s, &after, i))
                return false;
        *w = after;
        s->of[e.actor][s->length[e.actor]++] = i;
        s->n++;
        return true;
}

static void generate(struct sample *s, uint32_t n)
{
        struct world w = {0};
        uint32_t mutexes = draw(LOCKS + 1);

        while (s->n < n)
                CHECK(append(s, &w, draw_event(&w, draw(s->threads), mutexes)));
}

/* Threads with nested sections, and an access now and then. */
static void generate_nested(struct sample *s)
{
        struct wire_event plans[THREADS][EVENTS];
        uint32_t n[THREADS] = {0}, at[THREADS] = {0}, t = 0;
        struct world w = {0};
        bool rw = draw(3) == 0;

        for (; t < s->threads; t++)
                for (uint32_t k = 1 + draw(2); k; k--) {
                        uint32_t a = draw(LOCKS), b = (a + 1 + draw(LOCKS - 1)) % LOCKS, ops[2];

                        ops[0] = rw ? draw(2) ? OP_RWLOCK_RDLOCK : OP_RWLOCK_WRLOCK : OP_MUTEX_LOCK;
                        ops[1] = rw ? draw(2) ? OP_RWLOCK_RDLOCK : OP_RWLOCK_WRLOCK : OP_MUTEX_LOCK;
                        plans[t][n[t]++] = event(t, ops[0], lock(a));
                        if (draw(3) == 0)
                                plans[t][n[t]++] = event(t, draw(2) ? OP_READ : OP_WRITE, variable(draw(VARIABLES)));
                        plans[t][n[t]++] = event(t, ops[1], lock(b));
                        plans[t][n[t]++] = event(t, rw ? OP_RWLOCK_UNLOCK : OP_MUTEX_UNLOCK, lock(draw(2) ? a : b));
                        plans[t][n[t]] = event(t, plans[t][n[t] - 1].op, lock(a + b) - plans[t][n[t] - 1].obj + LOCK);
                        n[t]++;
                }
        for (uint32_t tries = 0; tries < 100; tries++) {
                t = draw(3) ? t % s->threads : draw(s->threads);
                if (at[t] == n[t] || !append(s, &w, plans[t][at[t]]))
                        t = draw(s->threads);
                else
                        at[t]++;
        }
}

/* Comparison. */

struct seer {
        struct model model;
        struct pairs pairs;
        struct forecasts forecasts;
        struct index_map known;
        struct conflicts conflicts;
        struct cycles cycles;
};

/* Follows a prediction up to its last `n` entries, which it gives back. */
static struct world follow(const struct sample *s, const struct forecast *f, uint32_t n, uint32_t *last)
{
        struct world w = {0};

        for (uint32_t i = 0; i < f->n; i++) {
                uint32_t t = f->decisions[i].actor, e = next_of(s, &w, t);

                CHECK(e < EVENTS && s->events[e].op == f->decisions[i].op);
                if (i + n >= f->n)
                        last[i + n - f->n] = e;
                if (i + n >= f->n)
                        w.done[t]++;
                else
                        CHECK(step(s, &w, e));
        }
        return w;
}

static void check_race(const struct sample *s, const struct forecast *f, const struct truth *t,
                       bool found[EVENTS][EVENTS])
{
        uint32_t last[2];

        follow(s, f, 2, last);
        CHECK(s->events[last[0]].site == f->site[0] && s->events[last[1]].site == f->site[1]);
        CHECK(conflicting(&s->events[last[0]], &s->events[last[1]]));
        CHECK(t->race[last[0]][last[1]]);
        found[last[0]][last[1]] = found[last[1]][last[0]] = true;
}

/* Which of the real deadlocks is it? */
static void check_deadlock(const struct sample *s, const struct forecast *f, struct index_map *found)
{
        struct world w = follow(s, f, 0, NULL);
        struct truth here = {0};

        for (uint32_t t = 0; t < s->threads; t++)
                cycles_from(s, &w, t, t, 0, &here);
        CHECK(here.deadlocks.n > 0);
        for (uint32_t i = 0; i < 1u << here.deadlocks.bits; i++)
                if (here.deadlocks.slots[i].value)
                        *index_map_at(found, here.deadlocks.slots[i].key) = 1;
        index_map_fini(&here.deadlocks);
}

/* Readers of one lock can make a cycle longer than it must be: a part of it that is one, too, is enough. */
static bool has_part(const struct index_map *sets, uint64_t set)
{
        for (uint32_t i = 0; sets->n && i < 1u << sets->bits; i++)
                if (sets->slots[i].value && (sets->slots[i].key & set) == sets->slots[i].key)
                        return true;
        return false;
}

static void compare(struct seer *a, const struct sample *s, uint32_t *races, uint32_t *deadlocks)
{
        struct truth truth = {0};
        struct world start = {0};
        struct index_map cycles = {0};
        bool found[EVENTS][EVENTS] = {0};
        struct forecast f;

        explore(s, &start, &truth);
        pairs_reset(&a->pairs);
        forecasts_reset(&a->forecasts);
        index_map_clear(&a->known);
        CHECK(model_read(&a->model, &s->trace));
        CHECK(model_check(&a->model));
        conflicts_read(&a->conflicts, &a->model);
        cycles_read(&a->cycles, &a->model);
        while (forecasts_take_failing(&a->forecasts, &f)) {
                if (f.kind == PREDICT_RACE)
                        check_race(s, &f, &truth, found);
                else if (f.kind == PREDICT_DEADLOCK)
                        check_deadlock(s, &f, &cycles);
                free(f.decisions);
        }
        CHECK(!memcmp(found, truth.race, sizeof found));
        for (uint32_t i = 0; truth.deadlocks.n && i < 1u << truth.deadlocks.bits; i++)
                CHECK(!truth.deadlocks.slots[i].value || has_part(&cycles, truth.deadlocks.slots[i].key));
        for (uint32_t i = 0; i < EVENTS * EVENTS; i++)
                *races += truth.race[i / EVENTS][i % EVENTS];
        *deadlocks += truth.deadlocks.n;
        index_map_fini(&truth.deadlocks);
        index_map_fini(&truth.seen);
        index_map_fini(&cycles);
}

int main(int argc, char **argv)
{
        uint32_t n = argc > 1 ? (uint32_t)atoi(argv[1]) : 3000, races = 0, deadlocks = 0;
        struct seer a = {0};

        a.conflicts.pairs = &a.pairs;
        a.conflicts.forecasts = a.cycles.forecasts = &a.forecasts;
        a.conflicts.known = a.cycles.known = &a.known;
        for (uint32_t i = 0; i < n; i++) {
                struct sample s = {0};

                drawn = i;
                s.threads = 2 + draw(THREADS - 1);
                if (i % 2)
                        generate_nested(&s);
                else
                        generate(&s, 4 + draw(EVENTS - 4));
                s.trace = trace_of(s.events, s.n, s.threads);
                compare(&a, &s, &races, &deadlocks);
        }
        printf("%u traces: %u races, %u deadlocks\n", n, races / 2, deadlocks);
        CHECK(races > n && deadlocks > n / 100);
        forecasts_fini(&a.forecasts);
        pairs_fini(&a.pairs);
        index_map_fini(&a.known);
        model_fini(&a.model);
        conflicts_fini(&a.conflicts);
        cycles_fini(&a.cycles);
        return 0;
}
