/*
 * See climb.h.  Kept are executions that came to states that no other one had come to.  The next one begins as the longest of them,
 * all but its last few steps.  Where many have ended after as many steps, an execution counts as shorter, and more of its last steps are given up,
 * so that the search leaves a dead end slowly: it tries what is near first.  How soon that is, is drawn.
 *
 * A state is known by a hash of what can be seen of it in a trace: of each thread its position and the value of its last entry, of
 * memory what was written last.  Two states may be taken for one: then one of them is not kept.
 */
#include "strategy/climb.h"

#include <errno.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/vec.h"

#define KEPT      256u       /* executions */
#define STEPS     (1u << 20) /* ... and their steps, together */
#define SEEN_BITS 20u
#define CELL_BITS 12u
#define ENDS      (1u << 16)
#define PATIENCE  2u  /* so many executions from one that is kept count as a step less of it ... */
#define CROWD     16u /* ... and so many that have ended after as many steps; a quarter of that, or four times as many */

struct kept {
        VEC(struct wire_decision) steps;
        uint64_t tries;
};

struct climb {
        struct kept kept[KEPT];
        uint32_t n;
        uint64_t steps;                /* of all of them */
        uint64_t since;                /* executions since one was longer than all before ... */
        uint32_t longest;              /* ... and its steps */
        uint64_t *seen;                /* 2^SEEN_BITS states, each at the slot of its hash */
        uint64_t *memory;              /* 2^CELL_BITS hashes of what was written last to the addresses of one slot */
        uint32_t ended[ENDS];          /* executions of so many steps */
        uint64_t of[WIRE_MAX_THREADS]; /* ... and one of each thread: of the trace that is read */
};

struct climb *climb_create(void)
{
        struct climb *c = calloc(1, sizeof *c);

        if (!c)
                return NULL;
        c->seen = calloc(UINT64_C(1) << SEEN_BITS, sizeof *c->seen);
        c->memory = calloc(UINT64_C(1) << CELL_BITS, sizeof *c->memory);
        if (c->seen && c->memory)
                return c;
        climb_destroy(c);
        return NULL;
}

void climb_destroy(struct climb *c)
{
        if (!c)
                return;
        for (uint32_t i = 0; i < KEPT; i++)
                vec_fini(&c->kept[i].steps);
        free(c->seen);
        free(c->memory);
        free(c);
}

void climb_reset(struct climb *c)
{
        c->n = 0;
        c->steps = c->since = c->longest = 0;
        for (uint32_t i = 0; i < ENDS; i++)
                c->ended[i] = 0;
        for (uint64_t i = 0; i < UINT64_C(1) << SEEN_BITS; i++)
                c->seen[i] = 0;
}

static uint32_t *ended(struct climb *c, uint32_t steps)
{
        return &c->ended[steps < ENDS ? steps : ENDS - 1];
}

static int64_t score(struct climb *c, const struct kept *k, uint32_t crowd)
{
        return (int64_t)k->steps.n - (int64_t)(k->tries / PATIENCE) - *ended(c, k->steps.n) / crowd;
}

static struct kept *best(struct climb *c, uint32_t crowd)
{
        struct kept *b = &c->kept[0];

        for (uint32_t i = 1; i < c->n; i++)
                if (score(c, &c->kept[i], crowd) > score(c, b, crowd))
                        b = &c->kept[i];
        return b;
}

void climb_next(struct climb *c, uint64_t draw, struct schedule *out)
{
        uint32_t crowd = CROWD / 4 << draw % 3 * 2;
        struct kept *k = best(c, crowd);
        uint32_t n = c->n ? k->steps.n : 0;
        uint64_t cut = 1 + (draw >> 16) % (2 + k->tries + *ended(c, n) / crowd);

        out->n_prefix = cut < n ? n - (uint32_t)cut : 0;
        for (uint32_t i = 0; i < out->n_prefix; i++)
                out->prefix[i] = k->steps.at[i];
        k->tries += c->n > 0;
}

static bool is_new(struct climb *c, uint64_t state)
{
        uint64_t *slot = &c->seen[hash_slot(state, SEEN_BITS)];

        if (*slot == state)
                return false;
        *slot = state;
        return true;
}

/* How many states of an execution are new. */
static uint32_t new_states(struct climb *c, const struct trace *t)
{
        uint64_t state = 1;
        uint32_t n = 0, transitions = 0;

        for (uint64_t i = 0; i < UINT64_C(1) << CELL_BITS; i++)
                c->memory[i] = 0;
        for (uint32_t i = 0; i < WIRE_MAX_THREADS; i++)
                c->of[i] = 0;
        for (uint32_t i = 0; i < t->n_events && transitions < t->n_transitions; i++) {
                const struct wire_event *e = &t->events[i];
                uint64_t *of = &c->of[e->actor], *cell = &c->memory[hash_slot(e->obj, CELL_BITS)];

                state ^= *of;
                *of = hash_draw(e->value ^ hash_draw(e->pos ^ (uint64_t)e->actor << 48));
                state ^= *of;
                if (e->mode == WIRE_MODE_WRITE) {
                        state ^= *cell;
                        *cell = hash_draw(e->value ^ hash_draw(e->obj));
                        state ^= *cell;
                }
                transitions += (e->flags & WIRE_EV_SCHED) != 0;
                n += transitions < t->n_transitions && is_new(c, state);
        }
        return n;
}

static void drop(struct climb *c, struct kept *k)
{
        struct kept last = c->kept[--c->n];

        c->steps -= k->steps.n;
        c->kept[c->n] = *k;
        *k = last;
}

/* Room for one more: the least promising ones go. */
static struct kept *add(struct climb *c, uint32_t steps)
{
        while (c->n && (c->n == KEPT || c->steps + steps > STEPS)) {
                struct kept *worst = &c->kept[0];
                for (uint32_t i = 1; i < c->n; i++)
                        if (score(c, &c->kept[i], CROWD) < score(c, worst, CROWD))
                                worst = &c->kept[i];
                drop(c, worst);
        }
        c->steps += steps;
        return &c->kept[c->n++];
}

int climb_learn(struct climb *c, const struct trace *t)
{
        struct kept *k;

        c->since++;
        if (t->n_transitions > c->longest) {
                c->longest = t->n_transitions;
                c->since = 0;
        }
        ++*ended(c, t->n_transitions);
        if (!new_states(c, t))
                return 0;
        k = add(c, t->n_transitions);
        k->tries = k->steps.n = 0;
        if (!vec_reserve(&k->steps, t->n_transitions))
                return -ENOMEM;
        for (uint32_t i = 0; i < t->n_events && k->steps.n < t->n_transitions; i++)
                if (t->events[i].flags & WIRE_EV_SCHED)
                        *vec_push(&k->steps) =
                                (struct wire_decision){.actor = t->events[i].actor, .choice = t->events[i].choice};
        return 0;
}

uint64_t climb_since(const struct climb *c)
{
        return c->since;
}
