/*
 * The path: nodes, sleep sets, footprints.
 *
 * Everything is a stack beside the stack of nodes, so that a retreat only cuts.  A sleeper's footprint is stored at the
 * node where it fell asleep; deeper nodes refer to it.
 */
#include "strategy/dpor/path.h"

#include <errno.h>
#include <string.h>

#include "base/assert.h"
#include "base/deadline.h"
#include "hb/footprint.h"
#include "hb/store_buffers.h"
#include "op/op.h"

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
        vec_fini(&p->parts);
        vec_fini(&p->values);
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
        p->nodes.n = p->parts.n = p->sleepers.n = p->woken.n = p->footprints.n = p->values.n = p->accesses.n = 0;
        p->branch = p->written = p->loaded = 0;
        p->rebuild = false;
}

/* Sleep sets. */

/* Does the transition of a node meet the footprint of a sleeper?  `test` says when two accesses do. */
static bool meets(const struct path *p, const struct path_sleeper *s, const struct path_node *n, footprint_test test)
{
        return s->n && n->n_acc &&
               footprint_pairs(&p->footprints.at[s->fp], s->n, &p->accesses.at[n->acc], n->n_acc, test,
                               (void *)&p->causality);
}

/* Some branches were woken, from `woken` on: their actors sleep in part only, from `first` on. */
static void part_sleepers(struct path *p, uint32_t first, uint32_t woken)
{
        for (; woken < p->woken.n; woken++) {
                const struct path_sleeper *w = &p->sleepers.at[p->woken.at[woken].sleeper];

                for (uint32_t k = first; k < p->sleepers.n && w->n_words; k++)
                        p->sleepers.at[k].partial |= p->sleepers.at[k].actor == w->actor;
        }
}

/* The sleep set after the transition of node i, as that of a new node. */
static bool inherit_sleep(struct path *p, uint32_t i, uint32_t *first, uint32_t *count)
{
        const struct path_node *n = &p->nodes.at[i];
        uint32_t woken = p->woken.n;

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
        if (p->values.n)
                part_sleepers(p, *first, woken);
        *count = p->sleepers.n - *first;
        return true;
}

/* The sleeper at the top node n that a branch with this footprint joins: they are woken together.  NULL: there is none. */
static struct path_sleeper *same_footprint(struct path *p, const struct path_node *n, uint32_t actor,
                                           const struct wire_access *acc, uint32_t n_acc)
{
        struct path_sleeper *s = n->n_sleep > n->inherited ? &p->sleepers.at[n->sleep + n->n_sleep - 1] : NULL;

        return s && s->actor == actor && s->n_words && s->n == n_acc &&
                               (!n_acc || !memcmp(&p->footprints.at[s->fp], acc, n_acc * sizeof *acc))
                       ? s
                       : NULL;
}

bool path_put_to_sleep(struct path *p, struct path_node *n, uint32_t actor, const uint32_t *values, uint32_t n_values,
                       const struct wire_access *acc, uint32_t n_acc)
{
        struct path_sleeper *s = n_values ? same_footprint(p, n, actor, acc, n_acc) : NULL;

        if (!vec_reserve(&p->footprints, n_acc) || !vec_reserve(&p->sleepers, 1) ||
            !vec_reserve(&p->values, n_values + 1))
                return false;
        for (uint32_t k = 0; k < n->n_sleep && n_values; k++) /* it has been run now */
                if (p->sleepers.at[n->sleep + k].actor == actor)
                        p->sleepers.at[n->sleep + k].partial = 0;
        if (!s) {
                s = vec_push(&p->sleepers);
                n->n_sleep++;
                *s = (struct path_sleeper){
                        .actor = (uint16_t)actor, .fp = p->footprints.n, .n = n_acc, .branches = p->values.n};
                for (uint32_t i = 0; i < n_acc; i++)
                        *vec_push(&p->footprints) = acc[i];
        }
        if (n_values) {
                *vec_push(&p->values) = n_values;
                for (uint32_t i = 0; i < n_values; i++)
                        *vec_push(&p->values) = values[i];
                s->n_words += n_values + 1;
        }
        n->fp_top = p->footprints.n;
        n->value_top = p->values.n;
        return true;
}

/* Retreat. */

/* Node i becomes the top, with its transition: each stack ends where the deeper nodes begin. */
static void cut_below(struct path *p, uint32_t i)
{
        const struct path_node *n = &p->nodes.at[i];

        p->nodes.n = i + 1;
        p->parts.n = n->part + n->n_parts;
        p->woken.n = n->woken;
        p->sleepers.n = n->sleep + n->n_sleep;
        p->footprints.n = n->fp_top;
        p->values.n = n->value_top;
        p->accesses.n = n->acc + n->n_acc;
}

static bool retreat(struct path *p, uint32_t i)
{
        struct path_node *n = &p->nodes.at[i];
        const struct wire_access *acc = n->n_acc ? &p->accesses.at[n->acc] : NULL;
        uint32_t n_values;
        const uint32_t *values = path_values(p, i, &n_values);

        if (!values)
                return false;
        if (!p->rebuild)
                causality_pop(&p->causality, i);
        cut_below(p, i);
        if (!p->sleepless && !n->redundant && /* its subtree is done */
            !path_put_to_sleep(p, n, n->actor, values, n_values, acc, n->n_acc))
                return false;
        if (n->wasted && !p->sleepless && !n->redundant)
                p->sleepers.at[p->sleepers.n - 1].stale = 1;
        p->accesses.n = n->acc;
        n->n_acc = 0;
        n->more = n->redundant = n->waits = n->wasted = 0;
        p->branch = i;
        p->loaded = p->loaded < i + 1 ? p->loaded : i + 1;
        return true;
}

bool path_turn(struct path *p, uint32_t i, uint32_t actor)
{
        struct path_node *n = &p->nodes.at[i];

        if (!retreat(p, i))
                return false;
        n->actor = (uint16_t)actor;
        n->op = n->other = 0;
        n->n_parts = 1;
        p->parts.n = n->part + 1;
        p->parts.at[n->part] = (struct path_part){.choice = WIRE_NO_CHOICE, .next_choice = WIRE_NO_CHOICE};
        heddle_check(path_check(p));
        return true;
}

bool path_turn_branch(struct path *p, uint32_t i)
{
        uint32_t k = path_next_part(p, i);
        struct path_node *n = &p->nodes.at[i];
        struct path_part *part;

        if (!retreat(p, i))
                return false;
        n->op = 0;
        n->other = 1;
        n->n_parts = k + 1;
        p->parts.n = n->part + k + 1;
        part = &p->parts.at[n->part + k];
        *part = (struct path_part){.choice = part->next_choice, .next_choice = WIRE_NO_CHOICE};
        heddle_check(path_check(p));
        return true;
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
        n->decision = i ? n[-1].decision + n[-1].n_parts : 0;
        n->part = p->parts.n;
        n->fp_top = p->footprints.n;
        n->value_top = p->values.n;
        n->woken = p->woken.n;
        return true;
}

/* The number, from k on, of a sleeper of another actor that was woken by a transition which does not happen before transition j. */
static uint32_t next_unordered(const struct path *p, uint32_t k, uint32_t j)
{
        const uint32_t *clock = causality_clock(&p->causality, j), n = p->woken.n;
        const struct path_sleeper *sleepers = p->sleepers.at;
        const struct path_node *nodes = p->nodes.at;
        const struct path_woken *woken = p->woken.at;
        uint32_t actor = nodes[j].actor;

        for (; k < n; k++) {
                uint32_t i = woken[k].node;

                if (clock[nodes[i].actor] <= i && i < j && sleepers[woken[k].sleeper].actor != actor)
                        break;
        }
        return k;
}

/* A footprint may depend on what came before: an actor that transition i woke may touch less now (a compare-and-swap that
 * fails only reads) than it would have before i.  What conflicts with that larger footprint raced with the sleeper: it
 * may have to come before both. */
static bool race_with_sleepers(struct path *p, uint32_t j, causality_race race, void *arg)
{
        const struct path_node *later = &p->nodes.at[j];
        const uint32_t *clock = causality_clock(&p->causality, j);

        for (uint32_t k = next_unordered(p, 0, j); k < p->woken.n; k = next_unordered(p, k + 1, j)) {
                const struct path_woken *w = &p->woken.at[k];

                if (meets(p, &p->sleepers.at[w->sleeper], later, buffered_touches) &&
                    !race(arg, w->node, later->actor, clock))
                        return false;
        }
        return true;
}

static bool add_access(struct path *p, const struct wire_event *e)
{
        uint32_t n;

        if (!vec_reserve(&p->accesses, BUFFERED_PARTS))
                return false;
        n = p->causality.stores.n ? buffered_load(&p->causality, e, &p->accesses.at[p->accesses.n]) : 0;
        if (n)
                p->accesses.n += n;
        else
                *vec_push(&p->accesses) = op_access(e);
        return true;
}

/* The decisions of the top node's transition. */
static bool take_parts(struct path *p, struct path_node *n, const struct wire_event *e, uint32_t n_entries)
{
        p->parts.n = n->part;
        n->more = 0;
        for (uint32_t k = 0; k < n_entries; k++) {
                if (k && !(e[k].flags & WIRE_EV_SCHED))
                        continue;
                if (!vec_reserve(&p->parts, 1))
                        return false;
                *vec_push(&p->parts) = (struct path_part){
                        .obj = e[k].obj, .choice = e[k].choice, .next_choice = e[k].next_choice, .op = e[k].op};
                n->more |= e[k].next_choice != WIRE_NO_CHOICE;
        }
        n->n_parts = p->parts.n - n->part;
        return true;
}

/* The transition of the top node: entries [0, n) at e.  0, or -ENOMEM. */
static int take(struct path *p, const struct wire_event *e, uint32_t n, const struct path_hooks *hooks, void *arg)
{
        uint32_t i = p->nodes.n - 1;
        struct path_node *node = &p->nodes.at[i];

        node->actor = e->actor;
        node->op = e->op;
        node->acc = p->accesses.n;
        node->n_acc = 0;
        if (!take_parts(p, node, e, n))
                return -ENOMEM;
        for (uint32_t k = 0; k < n; k++)
                if (e[k].mode != WIRE_MODE_NONE && !add_access(p, &e[k]))
                        return -ENOMEM;
        node->n_acc = p->accesses.n - node->acc;
        if (node->n_acc > FOOTPRINT_FEW) {
                node->n_acc = footprint_compact(&p->accesses.at[node->acc], node->n_acc);
                p->accesses.n = node->acc + node->n_acc;
        }
        node->redundant = p->values.n && path_branch_sleeps(p, i);
        return (!hooks->taken || hooks->taken(arg, i)) && causality_push(&p->causality, e, n, hooks->race, arg) &&
                               race_with_sleepers(p, i, hooks->race, arg)
                       ? 0
                       : -ENOMEM;
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

                if (w->state != WIRE_T_BLOCKED || !op_blocked_by_object(w->op))
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

/* The causality of a path that was loaded: its transitions are in the trace, and their races are known. */
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
                if (*at >= t->n_events && (t->end == WIRE_END_DEPTH || t->end == WIRE_END_BUDGET))
                        return 0; /* cut before it ran */
                return *at >= t->n_events || !(t->events[*at].flags & WIRE_EV_SCHED) ||
                                       t->events[*at].actor != p->nodes.at[p->branch].actor
                               ? -EINVAL
                               : 0;
        }
        while (*at < t->n_events && !(t->events[*at].flags & WIRE_EV_SCHED))
                ++*at;
        return causality_prologue(&p->causality, t->events, *at) ? 0 : -ENOMEM;
}

/* Races with what comes after the cut are not seen: nothing is omitted but by sleep sets, which hold within any number of
 * events, since equivalent executions have as many. */
static bool open_up(const struct path *p, const struct trace *t, const struct path_hooks *hooks, void *arg)
{
        for (uint32_t i = 0; i < p->nodes.n && p->nodes.at[i].decision < t->n_transitions; i++)
                for (uint32_t w = 0; w < t->enabled_words; w++)
                        for (uint64_t b = t->enabled[(size_t)p->nodes.at[i].decision * t->enabled_words + w]; b;
                             b &= b - 1)
                                if (!hooks->open(arg, i, w * 64 + (uint32_t)__builtin_ctzll(b)))
                                        return false;
        return true;
}

/* What follows a branch that sleeps has been run.  But its races count: where other branches of its actor are awake, no other
 * actor need go first for their sake, and what conflicts with the sleeping one would never come before it. */
static bool drop_redundant(struct path *p)
{
        uint32_t i = p->branch;

        while (i < p->nodes.n && !p->nodes.at[i].redundant)
                i++;
        if (i >= p->nodes.n)
                return false;
        cut_below(p, i);
        causality_pop(&p->causality, i + 1);
        return true;
}

int path_learn(struct path *p, const struct trace *t, const struct path_hooks *hooks, void *arg)
{
        struct path_hooks quiet = *hooks; /* of a transition that was cut: what it races with is not known */
        uint32_t at = 0, awaits, n;
        int r;

        quiet.race = no_race;
        p->given = false;
        p->run = t->run;
        if (hooks->widen && !hooks->widen(arg, t->n_threads ? t->n_threads : 1))
                return -ENOMEM;
        r = p->rebuild && p->nodes.n ? rebuild(p, t) : 0;
        if (!r)
                r = new_part(p, t, &at);
        awaits = path_awaits_from(t, at);
        for (; !r && at < t->n_events; at += n) {
                n = trace_transition_length(t, at);
                if (late_soon())
                        return -EINTR;
                if (p->causality.trans.n == p->nodes.n && (!push_node(p, at) || !hooks->pushed(arg, p->nodes.n - 1)))
                        return -ENOMEM;
                for (; awaits < t->n_awaits && t->awaits[awaits].event <= at; awaits++)
                        if (t->awaits[awaits].event == at) {
                                causality_waits(&p->causality, path_awaits_before(p, &t->awaits[awaits]));
                                p->nodes.at[p->nodes.n - 1].wasted = t->awaits[awaits].how & WIRE_AWAIT_WASTED;
                        }
                r = take(p, &t->events[at], n, t->end == WIRE_END_DEPTH && at + n >= t->n_events ? &quiet : hooks, arg);
        }
        if (r < 0)
                return r;
        r = hooks->all ? hooks->all(arg) : 0;
        if (r)
                return r;
        if (t->end ==
            WIRE_END_DEPTH) /* in the middle of a transition: which threads wait then, and for what, is not in the trace */
                r = !hooks->open || !t->enabled || open_up(p, t, hooks, arg) ? 0 : -ENOMEM;
        else
                r = learn_blocked(p, t, hooks, arg) && path_learn_held(p, t, hooks, arg) ? 0 : -ENOMEM;
        if (!r)
                r = drop_redundant(p);
        heddle_check(r < 0 || path_check(p));
        return r;
}
