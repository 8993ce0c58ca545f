/*
 * The path: nodes, sleep sets, footprints.
 *
 * Everything is a stack beside the stack of nodes, so that a retreat only cuts.  A sleeper's footprint is stored at the
 * node where it fell asleep; deeper nodes refer to it.
 */
#include "explore/path.h"

#include <errno.h>
#include <string.h>

#include "explore/buffered.h"
#include "explore/late.h"
#include "op/op.h"

#define LATE_EVERY 256u /* transitions learnt between two looks at the clock */

bool path_init(struct path *p)
{
        memset(p, 0, sizeof *p);
        return causality_init(&p->causality);
}

void path_fini(struct path *p)
{
        causality_fini(&p->causality);
        vec_fini(&p->nodes);
        vec_fini(&p->sleepers);
        vec_fini(&p->woken);
        vec_fini(&p->footprints);
        vec_fini(&p->accesses);
        vec_fini(&p->scratch);
}

void path_reset(struct path *p)
{
        causality_reset(&p->causality);
        path_clear(p);
        p->started = p->given = false;
}

void path_clear(struct path *p)
{
        p->nodes.n = p->sleepers.n = p->woken.n = p->footprints.n = p->accesses.n = 0;
        p->branch = p->written = 0;
        p->rebuild = false;
}

bool path_sleeps(const struct path *p, const struct path_node *n, uint32_t actor)
{
        for (uint32_t i = 0; i < n->n_sleep; i++)
                if (p->sleepers.at[n->sleep + i].actor == actor)
                        return true;
        return false;
}

uint32_t path_unforced(const struct path *p, uint32_t i)
{
        while (i > 0 && p->nodes.at[i].forced)
                i--;
        return i;
}

/* Sleep sets. */

/* Does the transition of a node meet the footprint of a sleeper?  `test` says when two accesses do. */
static bool meets(const struct path *p, const struct path_sleeper *s, const struct path_node *n,
                  bool (*test)(const struct causality *c, const struct wire_access *, const struct wire_access *))
{
        for (uint32_t i = 0; i < s->n; i++)
                for (uint32_t k = 0; k < n->n_acc; k++)
                        if (test(&p->causality, &p->footprints.at[s->fp + i], &p->accesses.at[n->acc + k]))
                                return true;
        return false;
}

/* The sleep set after the transition of node i, as that of a new node. */
static bool inherit_sleep(struct path *p, uint32_t i, uint32_t *first, uint32_t *count)
{
        const struct path_node *n = &p->nodes.at[i];

        *first = p->sleepers.n;
        if (!vec_reserve(&p->sleepers, n->n_sleep) || !vec_reserve(&p->woken, n->n_sleep))
                return false;
        for (uint32_t k = 0; k < n->n_sleep; k++) {
                struct path_sleeper s = p->sleepers.at[n->sleep + k];
                if (s.actor == n->actor)
                        continue;
                if (!meets(p, &s, n, buffered_wakes))
                        *vec_push(&p->sleepers) = s;
                else
                        *vec_push(&p->woken) = (struct path_woken){.node = i, .sleeper = n->sleep + k};
        }
        *count = p->sleepers.n - *first;
        return true;
}

bool path_put_to_sleep(struct path *p, struct path_node *n, uint32_t actor, const struct wire_access *acc,
                       uint32_t n_acc)
{
        struct path_sleeper *s;

        if (!vec_reserve(&p->footprints, n_acc) || !vec_reserve(&p->sleepers, 1))
                return false;
        s = n->n_sleep ? &p->sleepers.at[n->sleep + n->n_sleep - 1] : NULL;
        if (!s || s->actor != actor) {
                s = vec_push(&p->sleepers);
                n->n_sleep++;
                *s = (struct path_sleeper){.actor = (uint16_t)actor, .fp = p->footprints.n};
        }
        for (uint32_t i = 0; i < n_acc; i++)
                *vec_push(&p->footprints) = acc[i];
        s->n += n_acc;
        n->fp_top = p->footprints.n;
        return true;
}

/* Schedules. */

static bool add_footprint(struct path *p, const struct wire_access *acc, uint32_t n)
{
        if (!vec_reserve(&p->scratch, n))
                return false;
        for (uint32_t k = 0; k < n; k++)
                *vec_push(&p->scratch) = acc[k];
        return true;
}

/* The footprint of all that node i's actor did before it could be preempted: that of its transition, and of the forced ones
 * that follow it, with the other answers that were tried there. */
static bool whole_footprint(struct path *p, uint32_t i)
{
        p->scratch.n = 0;
        for (uint32_t j = i; j < p->nodes.n && (j == i || p->nodes.at[j].forced); j++) {
                const struct path_node *n = &p->nodes.at[j];

                if (n->n_acc && !add_footprint(p, &p->accesses.at[n->acc], n->n_acc))
                        return false;
                for (uint32_t k = n->inherited; k < n->n_sleep && j > i; k++) {
                        const struct path_sleeper *s = &p->sleepers.at[n->sleep + k];
                        if (s->actor == n->actor && !add_footprint(p, &p->footprints.at[s->fp], s->n))
                                return false;
                }
        }
        return true;
}

static bool retreat(struct path *p, uint32_t i)
{
        struct path_node *n = &p->nodes.at[i];
        const struct wire_access *acc = n->n_acc ? &p->accesses.at[n->acc] : NULL;
        uint32_t n_acc = n->n_acc;

        if (i + 1 < p->nodes.n && p->nodes.at[i + 1].forced && !p->sleepless) {
                if (!whole_footprint(p, i))
                        return false;
                acc = p->scratch.at;
                n_acc = p->scratch.n;
        }
        if (!p->rebuild)
                causality_pop(&p->causality, i);
        p->nodes.n = i + 1;
        p->woken.n = n->woken;
        p->sleepers.n = n->sleep + n->n_sleep;
        p->footprints.n = n->fp_top;
        if (!p->sleepless && !path_put_to_sleep(p, n, n->actor, acc, n_acc)) /* its subtree is done */
                return false;
        p->accesses.n = n->acc;
        n->n_acc = 0;
        return true;
}

bool path_turn(struct path *p, uint32_t i, uint32_t actor, uint32_t choice)
{
        struct path_node *n = &p->nodes.at[i];

        if (!retreat(p, i))
                return false;
        n->actor = (uint16_t)actor;
        n->op = 0;
        n->choice = choice;
        n->other = choice != WIRE_NO_CHOICE;
        p->branch = i;
        return true;
}

int path_write_sleeper(struct schedule *out, uint32_t actor, const struct wire_access *acc, uint32_t n)
{
        struct wire_sleep *w = out->n_sleep ? &out->sleep[out->n_sleep - 1] : NULL;
        uint32_t k = out->n_sleep ? out->n_footprint : 0;

        if (!w || w->actor != actor) {
                if (out->n_sleep == WIRE_MAX_SLEEP)
                        return -E2BIG;
                w = &out->sleep[out->n_sleep++];
                w->actor = (uint16_t)actor;
                w->first = k;
                w->count = 0;
        }
        if (n > WIRE_MAX_FOOTPRINT - k)
                return -E2BIG;
        if (n > 0)
                memcpy(&out->footprint[k], acc, n * sizeof *acc);
        w->count += n;
        out->n_footprint = k + n;
        return 1;
}

static int write_sleep(struct path *p, const struct path_node *n, uint32_t actor, struct schedule *out)
{
        int r = 1;

        out->n_sleep = 0;
        for (uint32_t i = 0; i < n->n_sleep && r > 0; i++) {
                const struct path_sleeper *s = &p->sleepers.at[n->sleep + i];

                if (s->actor != actor)
                        r = path_write_sleeper(out, s->actor, s->n ? &p->footprints.at[s->fp] : NULL, s->n);
        }
        return r;
}

int path_schedule(struct path *p, struct schedule *out)
{
        uint32_t i = p->branch;
        const struct path_node *top;

        p->given = true;
        out->tail = WIRE_TAIL_RUN_TO_BLOCK;
        out->flags = 0;
        out->n_prefix = out->n_hints = out->n_sleep = 0;
        if (!p->nodes.n)
                return 1;
        if (out->author != p)
                p->written = 0;
        out->author = p;
        for (uint32_t k = p->written < i ? p->written : i; k < i; k++) {
                const struct path_node *n = &p->nodes.at[k];
                out->prefix[k] =
                        (struct wire_decision){.actor = n->actor, .op = n->op, .choice = n->choice, .obj = n->obj};
        }
        top = &p->nodes.at[i];
        out->prefix[i] = (struct wire_decision){.actor = top->actor, .choice = top->choice};
        p->written = i;
        out->n_prefix = i + 1;
        return write_sleep(p, top, top->actor, out);
}

/* Learning. */

static bool push_node(struct path *p, uint32_t entry)
{
        uint32_t i = p->nodes.n, sleep = 0, n_sleep = 0;
        struct path_node *n;

        if (i && !inherit_sleep(p, i - 1, &sleep, &n_sleep))
                return false;
        if (!vec_reserve(&p->nodes, 1))
                return false;
        n = vec_push(&p->nodes);
        memset(n, 0, sizeof *n);
        n->sleep = i ? sleep : p->sleepers.n;
        n->n_sleep = n->inherited = n_sleep;
        n->entry = entry;
        n->fp_top = p->footprints.n;
        n->woken = p->woken.n;
        return true;
}

/* A footprint may depend on what came before: an actor that transition i woke may touch less now (a compare-and-swap that
 * fails only reads) than it would have before i.  What conflicts with that larger footprint raced with the sleeper: it
 * may have to come before both. */
static bool race_with_sleepers(struct path *p, uint32_t j, causality_race race, void *arg)
{
        const struct path_node *later = &p->nodes.at[j];
        const uint32_t *clock = causality_clock(&p->causality, j);

        for (uint32_t k = 0; k < p->woken.n; k++) {
                uint32_t i = p->woken.at[k].node;
                const struct path_sleeper *s = &p->sleepers.at[p->woken.at[k].sleeper];

                if (i < j && s->actor != later->actor && clock[p->nodes.at[i].actor] <= i &&
                    meets(p, s, later, buffered_touches) && !race(arg, i, later->actor, clock))
                        return false;
        }
        return true;
}

static bool add_access(struct path *p, const struct wire_event *e)
{
        uint32_t n;

        if (!vec_reserve(&p->accesses, BUFFERED_PARTS))
                return false;
        n = buffered_load(&p->causality, e, &p->accesses.at[p->accesses.n]);
        if (n)
                p->accesses.n += n;
        else
                *vec_push(&p->accesses) = op_access(e);
        return true;
}

/* The transition of the top node: entries [0, n) at e. */
static bool take(struct path *p, const struct wire_event *e, uint32_t n, const struct path_hooks *hooks, void *arg)
{
        uint32_t i = p->nodes.n - 1;
        struct path_node *node = &p->nodes.at[i];

        node->actor = e->actor;
        node->op = e->op;
        node->obj = e->obj;
        node->choice = e->choice;
        node->next_choice = e->next_choice;
        node->forced = (e->flags & WIRE_EV_FORCED) != 0;
        node->acc = p->accesses.n;
        node->n_acc = 0;
        for (uint32_t k = 0; k < n; k++)
                if (e[k].mode != WIRE_MODE_NONE && !add_access(p, &e[k]))
                        return false;
        node->n_acc = p->accesses.n - node->acc;
        return (!hooks->taken || hooks->taken(arg, i)) && causality_push(&p->causality, e, n, hooks->race, arg) &&
               race_with_sleepers(p, i, hooks->race, arg);
}

/* Threads that never got to run race with what kept them from it. */
static bool learn_blocked(struct path *p, const struct trace *t, const struct path_hooks *hooks, void *arg)
{
        bool ok = true;

        for (uint32_t i = 0; i < t->n_threads && ok; i++) {
                const struct wire_thread *w = &t->threads[i];
                struct wire_access a = {.obj = w->obj,
                                        .value = w->value,
                                        .size = 1,
                                        .actor = (uint16_t)i,
                                        .mode = WIRE_MODE_WRITE,
                                        .op = (uint8_t)w->op};

                if (w->state != WIRE_T_BLOCKED || (!op_blocks(w->op) && w->op != OP_EXIT))
                        continue;
                ok = causality_blocked(&p->causality, &a, hooks->race, arg);
        }
        return ok;
}

static bool no_race(void *arg, uint32_t i, uint32_t actor, const uint32_t *past)
{
        (void)arg, (void)i, (void)actor, (void)past;
        return true;
}

/* The causality of a path that was loaded: its transitions stand in the trace, and their races are known. */
static int rebuild(struct path *p, const struct trace *t)
{
        uint32_t at = 0;

        p->rebuild = false;
        while (at < t->n_events && !(t->events[at].flags & WIRE_EV_SCHED))
                at++;
        if (!causality_prologue(&p->causality, t->events, at))
                return -ENOMEM;
        for (uint32_t i = 0; i < p->branch; i++) {
                uint32_t n = trace_transition_length(t, at);
                if (at >= t->n_events || at != p->nodes.at[i].entry || t->events[at].actor != p->nodes.at[i].actor)
                        return -EINVAL;
                if (!causality_push(&p->causality, &t->events[at], n, no_race, NULL))
                        return -ENOMEM;
                at += n;
        }
        return at == p->nodes.at[p->branch].entry ? 0 : -EINVAL;
}

/* Where the new part of the trace begins. */
static int new_part(struct path *p, const struct trace *t, uint32_t *at)
{
        *at = 0;
        if (p->nodes.n) {
                *at = p->nodes.at[p->branch].entry;
                return *at >= t->n_events || !(t->events[*at].flags & WIRE_EV_SCHED) ||
                                       t->events[*at].actor != p->nodes.at[p->branch].actor
                               ? -EINVAL
                               : 0;
        }
        while (*at < t->n_events && !(t->events[*at].flags & WIRE_EV_SCHED))
                ++*at;
        return causality_prologue(&p->causality, t->events, *at) ? 0 : -ENOMEM;
}

/* Races with what comes after the cut are not seen: nothing is left out but by sleep sets, which hold within any number of
 * events, since equivalent executions have as many. */
static bool open_up(const struct path *p, const struct trace *t, const struct path_hooks *hooks, void *arg)
{
        for (uint32_t i = 0; i < p->nodes.n && i < t->n_transitions; i++)
                for (uint32_t w = 0; w < t->enabled_words && !p->nodes.at[i].forced; w++)
                        for (uint64_t b = t->enabled[(size_t)i * t->enabled_words + w]; b; b &= b - 1)
                                if (!hooks->open(arg, i, w * 64 + (uint32_t)__builtin_ctzll(b)))
                                        return false;
        return true;
}

int path_learn(struct path *p, const struct trace *t, const struct path_hooks *hooks, void *arg)
{
        uint32_t at = 0, n;
        int r;

        p->given = false;
        if (hooks->widen && !hooks->widen(arg, t->n_threads ? t->n_threads : 1))
                return -ENOMEM;
        r = p->rebuild && p->nodes.n ? rebuild(p, t) : 0;
        if (!r)
                r = new_part(p, t, &at);
        for (; !r && at < t->n_events; at += n) {
                n = trace_transition_length(t, at);
                if (p->nodes.n % LATE_EVERY == LATE_EVERY - 1 && late())
                        return -EINTR;
                if (p->causality.trans.n == p->nodes.n && (!push_node(p, at) || !hooks->pushed(arg, p->nodes.n - 1)))
                        return -ENOMEM;
                if (!take(p, &t->events[at], n, hooks, arg))
                        return -ENOMEM;
        }
        if (r)
                return r;
        r = hooks->all ? hooks->all(arg) : 0;
        if (!r &&
            t->end == WIRE_END_DEPTH) /* in the middle of a transition: who waits then, and for what, is not told */
                return !hooks->open || !t->enabled || open_up(p, t, hooks, arg) ? 0 : -ENOMEM;
        return r ? r : learn_blocked(p, t, hooks, arg) ? 0 : -ENOMEM;
}

uint32_t path_known(const struct path *p)
{
        return p->nodes.n && !p->rebuild ? p->nodes.at[p->branch].entry : 0;
}
