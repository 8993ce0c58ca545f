/*
 * dfs against a target that exists only here: actors that take a given number of steps, some with a choice, some with a
 * lock, so that the number of executions is known beforehand.
 */
#include "strategy/dfs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "op/op.h"

#define CHECK(c)                                                                \
        do {                                                                    \
                if (!(c)) {                                                     \
                        fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #c); \
                        exit(1);                                                \
                }                                                               \
        } while (0)

#define MAX_EVENTS 4096

/* The program: actor `first + i` makes steps[i] transitions; its transition number choose_at[i] asks choose_n[i] ways.
 * With `lock`, an actor's first transition takes the only lock and its last gives it back. */
struct program {
        uint32_t n, first;
        uint32_t steps[4];
        uint32_t choose_at[4], choose_n[4];
        bool lock;
        uint32_t words;
        uint32_t diverge_at; /* execution (from 1) that cannot follow its last decision */
        uint32_t lie_at;     /* execution that runs another actor than its first decision says */
};

struct machine {
        struct wire_event events[MAX_EVENTS];
        uint64_t enabled[MAX_EVENTS];
        struct wire_decision prefix[MAX_EVENTS];
        uint32_t done[4];
        uint32_t holder; /* index + 1 */
        uint32_t n_events, n_transitions, end;
};

static bool may_run(const struct program *p, const struct machine *m, uint32_t i)
{
        if (m->done[i] == p->steps[i])
                return false;
        return !p->lock || m->done[i] > 0 || m->holder == 0;
}

static void step(const struct program *p, struct machine *m, uint32_t i, uint32_t choice)
{
        uint64_t *enabled = m->enabled + (size_t)m->n_transitions * p->words;
        memset(enabled, 0, p->words * sizeof(*enabled));
        for (uint32_t k = 0; k < p->n; k++) {
                if (may_run(p, m, k))
                        enabled[(p->first + k) / 64] |= UINT64_C(1) << ((p->first + k) % 64);
        }
        bool chooses = p->choose_n[i] > 0 && p->choose_at[i] == m->done[i];
        if (choice == WIRE_NO_CHOICE)
                choice = 0;
        m->events[m->n_events++] = (struct wire_event){
                .actor = (uint16_t)(p->first + i),
                .op = chooses ? OP_CHOOSE : OP_STORE,
                .flags = WIRE_EV_SCHED,
                .obj = 8 * (m->done[i] + 1),
                .choice = choice,
                .next_choice = chooses && choice + 1 < p->choose_n[i] ? choice + 1 : WIRE_NO_CHOICE,
        };
        /* Two actors out of three leave a further entry that belongs to the transition. */
        if (i % 3 != 0)
                m->events[m->n_events++] = (struct wire_event){.actor = (uint16_t)(p->first + i), .op = OP_READ};
        m->done[i]++;
        if (p->lock && m->done[i] == 1)
                m->holder = i + 1;
        if (p->lock && m->done[i] == p->steps[i])
                m->holder = 0;
        m->n_transitions++;
}

static void run(const struct program *p, struct machine *m, uint32_t n_prefix, uint64_t number)
{
        memset(m->done, 0, sizeof(m->done));
        m->holder = m->n_events = m->n_transitions = 0;
        m->end = WIRE_END_DONE;
        for (uint32_t k = 0; k < n_prefix; k++) {
                const struct wire_decision *d = &m->prefix[k];
                uint32_t i = d->actor - p->first;
                if (number == p->diverge_at && k + 1 == n_prefix) {
                        m->end = WIRE_END_DIVERGED;
                        return;
                }
                if (number == p->lie_at && k == 0)
                        i = (i + 1) % p->n;
                else
                        CHECK(i < p->n && may_run(p, m, i));
                step(p, m, i, d->choice);
                const struct wire_event *e = &m->events[m->n_events - (i % 3 != 0 ? 2 : 1)];
                if (number != p->lie_at && d->op != OP_NONE)
                        CHECK(d->op == e->op && d->obj == e->obj);
                else
                        CHECK(number == p->lie_at || k + 1 == n_prefix);
        }
        for (uint32_t i = 0; i < p->n;) {
                bool runs = may_run(p, m, i);
                if (runs)
                        step(p, m, i, WIRE_NO_CHOICE);
                i = runs ? 0 : i + 1;
        }
}

static int by_text(const void *a, const void *b)
{
        return strcmp(a, b);
}

/* Explores to the end.  The number of executions, or learn's error. */
static int64_t explore(struct strategy *s, const struct program *p)
{
        static struct machine m;
        static struct wire_event before[MAX_EVENTS];
        static char seen[1 << 16][32];
        struct schedule out = {.prefix = m.prefix};
        int64_t n = 0;
        int rc;
        memset(m.prefix, 0xee, sizeof(m.prefix));
        while ((rc = strategy_next(s, &out, 0)) == 1) {
                uint32_t known = out.known;
                CHECK(out.flags == (WIRE_WANT_ENABLED | WIRE_CUT_LOOPS | WIRE_FAIR) && out.n_sleep == 0 &&
                      out.tail == WIRE_TAIL_RUN_TO_BLOCK);
                memcpy(before, m.events, sizeof(before));
                run(p, &m, out.n_prefix, (uint64_t)++n);
                CHECK(p->lie_at || (known <= m.n_events && memcmp(before, m.events, known * sizeof(before[0])) == 0));
                struct trace t = {
                        .events = m.events,
                        .n_events = m.n_events,
                        .n_transitions = m.n_transitions,
                        .enabled = m.enabled,
                        .enabled_words = p->words,
                        .end = m.end,
                };
                rc = s->ops->learn(s, &t);
                if (rc < 0)
                        return rc;
                for (uint32_t i = 0, k = 0; i < m.n_events && k < 32; i++) {
                        if (m.events[i].flags & WIRE_EV_SCHED)
                                seen[n][k++] = (char)(m.events[i].actor - p->first + 4 * m.events[i].choice + 1);
                }
        }
        CHECK(rc == 0);
        qsort(seen[1], (size_t)n, sizeof(seen[0]), by_text);
        for (int64_t i = 2; i <= n; i++)
                CHECK(p->diverge_at || strcmp(seen[i - 1], seen[i]) != 0);
        memset(seen, 0, sizeof(seen));
        return n;
}

static int64_t count(const struct program *p)
{
        struct strategy *s = dfs_create(BOUND_NONE);
        CHECK(s);
        int64_t n = explore(s, p);
        s->ops->destroy(s);
        return n;
}

static void multinomials(void)
{
        CHECK(count(&(struct program){.n = 1, .steps = {5}, .words = 1}) == 1);
        CHECK(count(&(struct program){.n = 2, .steps = {1, 1}, .words = 1}) == 2);
        CHECK(count(&(struct program){.n = 2, .steps = {3, 3}, .words = 1}) == 20);
        CHECK(count(&(struct program){.n = 2, .steps = {6, 5}, .words = 1}) == 462);
        CHECK(count(&(struct program){.n = 3, .steps = {2, 3, 4}, .words = 1}) == 1260);
        CHECK(count(&(struct program){.n = 4, .steps = {2, 2, 2, 2}, .words = 1}) == 2520);
}

static void actors_beyond_one_word(void)
{
        CHECK(count(&(struct program){.n = 3, .first = 62, .steps = {2, 2, 2}, .words = 2}) == 90);
        CHECK(count(&(struct program){.n = 3, .first = 126, .steps = {2, 2, 2}, .words = 16}) == 90);
}

static void every_choice(void)
{
        CHECK(count(&(struct program){.n = 1, .steps = {1}, .choose_n = {7}, .words = 1}) == 7);
        CHECK(count(&(struct program){.n = 2, .steps = {2, 2}, .choose_at = {1, 0}, .choose_n = {3, 2}, .words = 1}) ==
              36);
        CHECK(count(&(struct program){.n = 3, .steps = {1, 1, 1}, .choose_n = {2, 0, 3}, .words = 1}) == 36);
}

static void disabled_actors_are_not_run(void)
{
        CHECK(count(&(struct program){.n = 3, .steps = {4, 3, 2}, .lock = true, .words = 1}) == 6);
}

static void diverged_run_is_given_up(void)
{
        int64_t n = count(&(struct program){.n = 2, .steps = {3, 3}, .words = 1, .diverge_at = 2});
        CHECK(n > 2 && n <= 20);
}

static void replay_that_differs_is_refused(void)
{
        CHECK(count(&(struct program){.n = 2, .steps = {3, 3}, .words = 1, .lie_at = 3}) < 0);
}

static void trace_without_enabled_sets_is_refused(void)
{
        struct strategy *s = dfs_create(BOUND_NONE);
        struct wire_decision prefix[1];
        struct schedule out = {.prefix = prefix};
        struct trace t = {.end = WIRE_END_DONE};
        CHECK(strategy_next(s, &out, 0) == 1 && out.n_prefix == 0 && out.known == 0);
        CHECK(s->ops->learn(s, &t) < 0);
        s->ops->destroy(s);
}

static void reset_begins_again(void)
{
        struct strategy *s = dfs_create(BOUND_NONE);
        CHECK(explore(s, &(struct program){.n = 2, .steps = {3, 3}, .words = 1}) == 20);
        s->ops->reset(s);
        CHECK(explore(s, &(struct program){.n = 3, .first = 63, .steps = {2, 2, 2}, .words = 2}) == 90);
        s->ops->reset(s);
        CHECK(explore(s, &(struct program){.n = 2, .steps = {2, 2}, .words = 1}) == 6);
        s->ops->destroy(s);
}

/* The pool grows between two executions: sets already kept must not lose members. */
static void wider_sets_in_mid_search(void)
{
        static struct machine m;
        struct program p = {.n = 2, .steps = {3, 3}, .words = 1};
        struct strategy *s = dfs_create(BOUND_NONE);
        struct schedule out = {.prefix = m.prefix};
        uint64_t n = 0;
        while (strategy_next(s, &out, 0) == 1) {
                p.words = n > 4 ? 2 : 1;
                run(&p, &m, out.n_prefix, ++n);
                struct trace t = {
                        .events = m.events,
                        .n_events = m.n_events,
                        .n_transitions = m.n_transitions,
                        .enabled = m.enabled,
                        .enabled_words = p.words,
                        .end = m.end,
                };
                CHECK(s->ops->learn(s, &t) == 0);
        }
        CHECK(n == 20);
        s->ops->destroy(s);
}

int main(void)
{
        multinomials();
        actors_beyond_one_word();
        every_choice();
        disabled_actors_are_not_run();
        diverged_run_is_given_up();
        replay_that_differs_is_refused();
        trace_without_enabled_sets_is_refused();
        reset_begins_again();
        wider_sets_in_mid_search();
        return 0;
}
