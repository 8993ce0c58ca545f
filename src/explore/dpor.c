/*
 * Dynamic partial order reduction with source sets and sleep sets (Abdulla, Aronis, Jonsson, Sagonas: Optimal dynamic
 * partial order reduction, POPL 2014, algorithm 1).
 *
 * The stack holds one node per transition of the current execution: the state before it.  A node knows which actors
 * must still go first from there (`backtrack`) and which need not (`sleep`: those that slept on arrival, and those whose
 * subtree is done, each with its footprint).  Every race of an execution adds, at the node before its earlier half, an
 * initial of what must precede the later half, unless one is there already or sleeps.
 *
 * Each Mazurkiewicz trace is run to its end once.  Runs that turn out to be redundant end in the target as soon as all
 * enabled actors sleep.
 *
 * Departures: what is added is an initial of the later half's causal past (less what the earlier half happens before),
 * not of all that does not depend on the earlier half; threads that are blocked at the end race with what blocked them; all answers of a choice are explored from its node, one after the
 * other, before any other actor.
 */
#include "explore/dpor.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "explore/dpor_share.h"
#include "explore/dpor_state.h"
#include "explore/dpor_tree.h"
#include "op/op.h"

static bool bit_test(const uint64_t *w, uint32_t i)
{
        return w[i / 64] >> (i % 64) & 1;
}

uint64_t *dpor_backtrack(struct dpor *d, uint32_t i)
{
        return &d->backtrack.at[(uint64_t)i * d->words];
}

bool dpor_sleeps(const struct dpor *d, const struct node *n, uint32_t actor)
{
        for (uint32_t i = 0; i < n->n_sleep; i++)
                if (d->sleepers.at[n->sleep + i].actor == actor)
                        return true;
        return false;
}

/* An atomic section is entered at its beginning. */
static uint32_t unforced(const struct dpor *d, uint32_t i)
{
        while (i > 0 && d->nodes.at[i].forced)
                i--;
        return i;
}

static bool on_race(void *arg, uint32_t i, uint32_t actor, const uint32_t *past)
{
        struct dpor *d = arg;
        uint64_t *bits = d->initials, *back;
        const struct node *n;
        uint32_t add = UINT32_MAX;

        i = unforced(d, i);
        n = &d->nodes.at[i];
        back = dpor_backtrack(d, i);
        memset(bits, 0, d->words * sizeof *bits);
        causality_initials(&d->causality, i, actor, past, bits);
        for (uint32_t w = 0; w < d->words; w++) {
                if (bits[w] & back[w])
                        return true;
                if (bits[w] && add == UINT32_MAX)
                        add = w * 64 + (uint32_t)__builtin_ctzll(bits[w]);
        }
        for (uint32_t s = 0; s < n->n_sleep; s++)
                if (bit_test(bits, d->sleepers.at[n->sleep + s].actor))
                        return true;
        for (uint32_t w = 0; w < d->words; w++)
                for (uint64_t b = back[w]; b; b &= b - 1)
                        if (causality_weak(&d->causality, i, w * 64 + (uint32_t)__builtin_ctzll(b)))
                                return true;
        if (bit_test(bits, actor))
                add = actor;
        if (add == UINT32_MAX)
                return true;
        back[add / 64] |= UINT64_C(1) << (add % 64);
        if (i < d->own)
                dpor_tell_race(d, i, bits, add);
        return true;
}

/* Sleep sets. */

/* Does the transition of a node meet the footprint of a sleeper?  `test` says when two accesses do. */
static bool meets(const struct dpor *d, const struct sleeper *s, const struct node *n,
                  bool (*test)(const struct wire_access *, const struct wire_access *))
{
        for (uint32_t i = 0; i < s->n; i++)
                for (uint32_t k = 0; k < n->n_acc; k++)
                        if (test(&d->footprints.at[s->fp + i], &d->accesses.at[n->acc + k]))
                                return true;
        return false;
}

/* The sleep set after the transition of node i, as that of a new node. */
static bool inherit_sleep(struct dpor *d, uint32_t i, uint32_t *first, uint32_t *count)
{
        const struct node *n = &d->nodes.at[i];

        *first = d->sleepers.n;
        if (!vec_reserve(&d->sleepers, n->n_sleep) || !vec_reserve(&d->woken, n->n_sleep))
                return false;
        for (uint32_t k = 0; k < n->n_sleep; k++) {
                struct sleeper s = d->sleepers.at[n->sleep + k];
                if (s.actor == n->actor)
                        continue;
                if (!meets(d, &s, n, op_wakes))
                        *vec_push(&d->sleepers) = s;
                else
                        *vec_push(&d->woken) = (struct woken){.node = i, .sleeper = n->sleep + k};
        }
        *count = d->sleepers.n - *first;
        return true;
}

bool dpor_put_to_sleep(struct dpor *d, struct node *n, uint32_t actor, const struct wire_access *acc, uint32_t n_acc)
{
        struct sleeper *s;

        if (!vec_reserve(&d->footprints, n_acc) || !vec_reserve(&d->sleepers, 1))
                return false;
        s = n->n_sleep ? &d->sleepers.at[n->sleep + n->n_sleep - 1] : NULL;
        if (!s || s->actor != actor) {
                s = vec_push(&d->sleepers);
                n->n_sleep++;
                *s = (struct sleeper){.actor = (uint16_t)actor, .fp = d->footprints.n};
        }
        for (uint32_t i = 0; i < n_acc; i++)
                *vec_push(&d->footprints) = acc[i];
        s->n += n_acc;
        n->fp_top = d->footprints.n;
        return true;
}

/* next(): the deepest node with something left to do. */

/* An actor that must still go first from node i, or UINT32_MAX. */
static uint32_t untried(struct dpor *d, uint32_t i)
{
        const struct node *n = &d->nodes.at[i];
        const uint64_t *back = dpor_backtrack(d, i);

        for (uint32_t w = 0; w < d->words; w++)
                for (uint64_t b = back[w]; b; b &= b - 1) {
                        uint32_t a = w * 64 + (uint32_t)__builtin_ctzll(b);
                        if (a != n->actor && !dpor_sleeps(d, n, a))
                                return a;
                }
        return UINT32_MAX;
}

/* Takes the transition of node i back; it becomes the top of the stack. */
static bool retreat(struct dpor *d, uint32_t i)
{
        struct node *n = &d->nodes.at[i];

        if (!d->rebuild)
                causality_pop(&d->causality, i);
        d->nodes.n = i + 1;
        d->woken.n = n->woken;
        d->backtrack.n = (i + 1) * d->words;
        d->sleepers.n = n->sleep + n->n_sleep;
        d->footprints.n = n->fp_top;
        if (!dpor_put_to_sleep(d, n, n->actor, &d->accesses.at[n->acc], n->n_acc)) /* its subtree is done */
                return false;
        d->accesses.n = n->acc;
        n->n_acc = 0;
        return true;
}

static int write_sleep(struct dpor *d, const struct node *n, uint32_t actor, struct schedule *out)
{
        uint32_t k = 0;

        out->n_sleep = 0;
        for (uint32_t i = 0; i < n->n_sleep; i++) {
                const struct sleeper *s = &d->sleepers.at[n->sleep + i];
                struct wire_sleep *w = &out->sleep[out->n_sleep];

                if (s->actor == actor)
                        continue;
                if (out->n_sleep == WIRE_MAX_SLEEP || k + s->n > WIRE_MAX_FOOTPRINT)
                        return -E2BIG;
                w->actor = s->actor;
                w->first = k;
                w->count = s->n;
                if (s->n > 0)
                        memcpy(&out->footprint[k], &d->footprints.at[s->fp], s->n * sizeof *out->footprint);
                k += s->n;
                out->n_sleep++;
        }
        return 0;
}

static void write_prefix(struct dpor *d, struct schedule *out, uint32_t i)
{
        const struct node *n = &d->nodes.at[i];

        for (uint32_t k = d->written < i ? d->written : i; k < i; k++) {
                const struct node *o = &d->nodes.at[k];
                out->prefix[k] = (struct wire_decision){.actor = o->actor, .op = o->op, .choice = o->choice, .obj = o->obj};
        }
        out->prefix[i] = (struct wire_decision){.actor = n->actor, .choice = n->choice};
        d->written = i;
        out->n_prefix = i + 1;
}

static void clear_stack(struct dpor *d)
{
        d->nodes.n = d->backtrack.n = d->sleepers.n = d->woken.n = d->footprints.n = d->accesses.n = 0;
        d->branch = d->written = d->own = 0;
}

/* Turns the deepest node that has something left to do, which becomes the top of the stack.  1, or 0 when none has. */
static int advance(struct dpor *d)
{
        if (!d->started) {
                d->started = true;
                return 1;
        }
        for (uint32_t i = d->nodes.n; i-- > d->own;) {
                struct node *n = &d->nodes.at[i];
                uint32_t choice = n->next_choice;
                uint32_t actor = choice != WIRE_NO_CHOICE ? n->actor : untried(d, i);

                if (actor == UINT32_MAX)
                        continue;
                if (!retreat(d, i))
                        return -ENOMEM;
                n->actor = (uint16_t)actor;
                n->op = 0;
                n->choice = choice;
                d->branch = i;
                return 1;
        }
        clear_stack(d);
        return 0;
}

static int dpor_next(struct strategy *base, struct schedule *out)
{
        struct dpor *d = (struct dpor *)base;
        const struct node *top;
        int r = d->given ? 1 : advance(d);

        if (r <= 0)
                return r;
        d->given = true;
        out->tail = WIRE_TAIL_RUN_TO_BLOCK;
        out->flags = 0;
        out->n_sleep = out->n_prefix = 0;
        if (!d->nodes.n)
                return 1;
        top = &d->nodes.at[d->branch];
        write_prefix(d, out, d->branch);
        return write_sleep(d, top, top->actor, out) ? -E2BIG : 1;
}

/* learn() */

bool dpor_widen(struct dpor *d, uint32_t actors)
{
        uint32_t words = (actors + 63) / 64;
        uint64_t *wide;

        if (words <= d->words)
                return true;
        wide = calloc((size_t)(d->nodes.n + 64) * words, sizeof *wide);
        if (!wide)
                return false;
        for (uint32_t i = 0; i < d->nodes.n; i++)
                memcpy(&wide[(size_t)i * words], &d->backtrack.at[(size_t)i * d->words], d->words * sizeof *wide);
        free(d->backtrack.at);
        d->backtrack.at = wide;
        d->backtrack.n = d->nodes.n * words;
        d->backtrack.room = (d->nodes.n + 64) * words;
        free(d->initials);
        d->initials = calloc(words, sizeof *d->initials);
        d->words = words;
        return d->initials != NULL;
}

static bool push_node(struct dpor *d, uint32_t entry)
{
        uint32_t i = d->nodes.n, sleep = 0, n_sleep = 0;
        struct node *n;

        if (i && !inherit_sleep(d, i - 1, &sleep, &n_sleep))
                return false;
        if (!vec_reserve(&d->nodes, 1) || !vec_reserve(&d->backtrack, d->words))
                return false;
        n = vec_push(&d->nodes);
        memset(n, 0, sizeof *n);
        n->sleep = i ? sleep : d->sleepers.n;
        n->n_sleep = n_sleep;
        n->entry = entry;
        n->fp_top = d->footprints.n;
        n->woken = d->woken.n;
        memset(&d->backtrack.at[d->backtrack.n], 0, d->words * sizeof(uint64_t));
        d->backtrack.n += d->words;
        return true;
}

/* A footprint may depend on what came before: an actor that transition i woke may touch less now (a compare-and-swap that
 * fails only reads) than it would have before i.  What conflicts with that larger footprint raced with the sleeper: it
 * may have to come before both. */
static void race_with_sleepers(struct dpor *d, uint32_t j)
{
        const struct node *later = &d->nodes.at[j];
        const uint32_t *clock = causality_clock(&d->causality, j);

        for (uint32_t k = 0; k < d->woken.n; k++) {
                uint32_t i = d->woken.at[k].node;
                const struct sleeper *s = &d->sleepers.at[d->woken.at[k].sleeper];

                if (i < j && s->actor != later->actor && clock[d->nodes.at[i].actor] <= i && meets(d, s, later, op_overlap))
                        on_race(d, i, later->actor, clock);
        }
}

/* The transition of the top node: entries [0, n) at e. */
static int take(struct dpor *d, const struct wire_event *e, uint32_t n)
{
        uint32_t i = d->nodes.n - 1;
        struct node *node = &d->nodes.at[i];

        node->actor = e->actor;
        node->op = e->op;
        node->obj = e->obj;
        node->choice = e->choice;
        node->next_choice = e->next_choice;
        node->forced = (e->flags & WIRE_EV_FORCED) != 0;
        node->acc = d->accesses.n;
        node->n_acc = 0;
        if (!vec_reserve(&d->accesses, n))
                return -ENOMEM;
        for (uint32_t k = 0; k < n; k++) {
                if (e[k].mode == WIRE_MODE_NONE)
                        continue;
                *vec_push(&d->accesses) = op_access(&e[k]);
                node->n_acc++;
        }
        dpor_backtrack(d, i)[e->actor / 64] |= UINT64_C(1) << (e->actor % 64);
        if (!causality_push(&d->causality, e, n, on_race, d))
                return -ENOMEM;
        race_with_sleepers(d, i);
        return 0;
}

/* Threads that never got to run race with what kept them from it. */
static int learn_blocked(struct dpor *d, const struct trace *t)
{
        for (uint32_t i = 0; i < t->n_threads; i++) {
                const struct wire_thread *w = &t->threads[i];
                struct wire_access a = {.obj = w->obj, .size = 1, .value = w->value, .actor = (uint16_t)i, .mode = WIRE_MODE_WRITE,
                                        .op = (uint8_t)w->op};
                if (w->state == WIRE_T_BLOCKED && (op_blocks(w->op) || w->op == OP_EXIT) &&
                    !causality_blocked(&d->causality, &a, on_race, d))
                        return -ENOMEM;
        }
        return 0;
}

static uint32_t transition_length(const struct trace *t, uint32_t from)
{
        uint32_t n = 1;

        while (from + n < t->n_events && !(t->events[from + n].flags & WIRE_EV_SCHED))
                n++;
        return n;
}

static bool no_race(void *arg, uint32_t i, uint32_t actor, const uint32_t *past)
{
        (void)arg, (void)i, (void)actor, (void)past;
        return true;
}

/* The causality of a stack that was loaded: its transitions stand in the trace, and their races are known. */
static int rebuild(struct dpor *d, const struct trace *t)
{
        uint32_t at = 0;

        d->rebuild = false;
        while (at < t->n_events && !(t->events[at].flags & WIRE_EV_SCHED))
                at++;
        if (!causality_prologue(&d->causality, t->events, at))
                return -ENOMEM;
        for (uint32_t i = 0; i < d->branch; i++) {
                uint32_t n = transition_length(t, at);
                if (at >= t->n_events || at != d->nodes.at[i].entry || t->events[at].actor != d->nodes.at[i].actor)
                        return -EINVAL;
                if (!causality_push(&d->causality, &t->events[at], n, no_race, NULL))
                        return -ENOMEM;
                at += n;
        }
        return at == d->nodes.at[d->branch].entry ? 0 : -EINVAL;
}

static int dpor_learn(struct strategy *base, const struct trace *t)
{
        struct dpor *d = (struct dpor *)base;
        uint32_t at = 0, n;
        int r;

        d->given = false;
        if (!dpor_widen(d, t->n_threads ? t->n_threads : 1))
                return -ENOMEM;
        if (d->rebuild && d->nodes.n && (r = rebuild(d, t)))
                return r;
        if (d->nodes.n) {
                at = d->nodes.at[d->branch].entry;
                if (at >= t->n_events || !(t->events[at].flags & WIRE_EV_SCHED) ||
                    t->events[at].actor != d->nodes.at[d->branch].actor)
                        return -EINVAL;
        } else {
                while (at < t->n_events && !(t->events[at].flags & WIRE_EV_SCHED))
                        at++;
                if (!causality_prologue(&d->causality, t->events, at))
                        return -ENOMEM;
        }
        for (; at < t->n_events; at += n) {
                bool fresh = d->causality.trans.n == d->nodes.n;
                n = transition_length(t, at);
                if (fresh && !push_node(d, at))
                        return -ENOMEM;
                r = take(d, &t->events[at], n);
                if (r)
                        return r;
        }
        return learn_blocked(d, t);
}

static uint32_t dpor_known(const struct strategy *base)
{
        const struct dpor *d = (const struct dpor *)base;

        return d->nodes.n && !d->rebuild ? d->nodes.at[d->branch].entry : 0;
}

static void dpor_reset(struct strategy *base)
{
        struct dpor *d = (struct dpor *)base;

        causality_reset(&d->causality);
        clear_stack(d);
        d->started = d->given = d->rebuild = false;
}

static void dpor_destroy(struct strategy *base)
{
        struct dpor *d = (struct dpor *)base;

        causality_fini(&d->causality);
        vec_fini(&d->nodes);
        vec_fini(&d->backtrack);
        vec_fini(&d->sleepers);
        vec_fini(&d->woken);
        vec_fini(&d->footprints);
        vec_fini(&d->accesses);
        stream_fini(&d->common);
        free(d->initials);
        free(d);
}

static const struct strategy_ops dpor_ops = {
        .name = "dpor",
        .next = dpor_next,
        .learn = dpor_learn,
        .known = dpor_known,
        .reset = dpor_reset,
        .save = dpor_save,
        .load = dpor_load,
        .path = dpor_path,
        .level = dpor_level,
        .destroy = dpor_destroy,
        .share = &dpor_share,
};

struct strategy *dpor_create(void)
{
        struct dpor *d = calloc(1, sizeof *d);

        if (!d)
                return NULL;
        d->base.ops = &dpor_ops;
        if (!causality_init(&d->causality)) {
                free(d);
                return NULL;
        }
        return &d->base;
}
