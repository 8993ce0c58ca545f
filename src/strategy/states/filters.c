/*
 * SCALE's exploration: a frontier of transitions to be run, an order to pick them in, and a chain of state filters
 * (Florian 2010, chapter 4, algorithm 2).
 *
 * A state is represented by the happens-before graph of the transitions that led to it (hb_state.h).  An execution is run
 * from the picked transition on to its end, and every state on the way is reached: from each one that all filters let pass,
 * all enabled actors but the one that was taken go to the frontier.  The first state that a filter stops ends that: what
 * comes after it in the trace is, or will be, run from where it was reached first.
 *
 * One filter may let the others wait while an actor continues (super-step).  States in which they wait are not shown to the
 * other filters as reached: another path may come to them where no actor waits.  Another kind chooses itself which actor
 * continues, and from which states (dpor: filters_chosen.c).
 *
 * Executions that come back to where they were (rt/loops/cycle.c) have infinitely many such graphs.  There a state is what the
 * target says that it is; where it says nothing, all continue.  The search ends when all states are reached, and then it is known
 * of each of them whether an execution from there has an end (termination_graph.h).
 *
 * It cannot be shared: --jobs is refused.
 */
#include "strategy/states/filters.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bitset.h"
#include "base/deadline.h"
#include "op/op.h"
#include "strategy/dpor/wakeup_tree.h"
#include "strategy/makers.h"
#include "strategy/states/filters_search.h"

static void put_node(struct filters *f, uint32_t node)
{
        if (f->holder && node != FILTER_NONE)
                f->holder->ops->put(f->holder, node);
}

/* next() */

bool filters_wanted(struct filters *f, const struct filter_state *s)
{
        for (uint32_t i = 0; i < f->n_chain; i++)
                if (f->chain[i]->ops->wanted && !f->chain[i]->ops->wanted(f->chain[i], s))
                        return false;
        return true;
}

/* What was foreseen when it was added may have been reached meanwhile. */
static bool pick(struct filters *f)
{
        while (frontier_pick(&f->frontier, &f->at)) {
                if (filters_wanted(f, &f->at.state))
                        return true;
                frontier_put(&f->frontier, f->at.path);
                put_node(f, f->at.node);
        }
        return false;
}

static int filters_next(struct strategy *base, struct schedule *out)
{
        struct filters *f = (struct filters *)base;
        uint32_t n;

        if (f->started && !f->given && !pick(f)) {
                base->partial = f->concrete && !termination_graph_can_end(&f->graph) ? REASON_NO_WAY_OUT : REASON_NONE;
                return 0;
        }
        f->given = true;
        out->n_sleep = out->n_prefix = 0;
        out->tail = WIRE_TAIL_RUN_TO_BLOCK;
        out->flags = WIRE_WANT_ENABLED;
        if (!f->started)
                return 1;
        n = f->at.path == FRONTIER_ROOT ? 0 : f->frontier.links.at[f->at.path].depth + 1;
        out->prefix[n] = (struct wire_decision){.actor = f->at.actor, .choice = f->at.choice};
        out->n_prefix = n + 1;
        for (uint32_t l = f->at.path; l != FRONTIER_ROOT; l = f->frontier.links.at[l].parent)
                out->prefix[--n] = f->frontier.links.at[l].decision;
        return f->chooser ? filters_sleep(f, out) : 1;
}

/* learn() */

/* Would the operation of this transition, performed earlier, touch these places and no others, in one way only? */
static bool is_sure(const struct filters *f, const struct wire_event *e, const struct wire_access *acc, uint32_t n)
{
        bool asks = op_has(e->op, OPF_CHOICES) && (e->op != OP_COND_WAIT || f->spurious);

        return !f->unsure && e->op < OP_USER && !asks && e->next_choice == WIRE_NO_CHOICE &&
               wakeup_sure_of(e->op, acc, n) >=
                       (f->watched ? WAKEUP_SURE : WAKEUP_PLACE); /* one that may write may be visible */
}

/* What an entry of a move touches; false: nothing.  A load from the own buffer counts as one from memory, which it becomes. */
static bool touches(const struct wire_event *e, struct wire_access *a)
{
        if ((e->weak & WIRE_WEAK_BUFFERED) || e->op == OP_FORWARD)
                return false;
        *a = op_access(e);
        if (op_has(e->op, OPF_LOADS))
                a->mode = WIRE_MODE_READ;
        return true;
}

/* Transition k of the trace as a move; `earlier`: as it might have been from an earlier state. */
static bool move_of(struct filters *f, uint32_t k, bool earlier, struct filter_move *m)
{
        const struct trace *t = f->states.trace;
        const struct wire_event *e = &t->events[f->states.entries.at[k]];
        uint32_t length = hb_states_length(t, f->states.entries.at[k]), n = 0;
        struct wire_access *acc;

        if (!vec_reserve(&f->acc, length))
                return false;
        acc = &f->acc.at[f->acc.n];
        for (uint32_t i = 0; i < length; i++)
                n += touches(&e[i], &acc[n]);
        f->acc.n += n;
        *m = (struct filter_move){.actor = e->actor, .acc = acc, .n = n, .sure = !earlier || is_sure(f, e, acc, n)};
        for (uint32_t i = 0; i < n && earlier; i++)
                if (acc[i].mode == WIRE_MODE_READ && op_mode(acc[i].op) == WIRE_MODE_WRITE)
                        acc[i].mode = WIRE_MODE_WRITE; /* a try that failed may succeed there */
        return true;
}

/* Is transition k part of an atomic section that continues with a choice?  What the rest touches may depend on that. */
static bool is_section(const struct filters *f, uint32_t k)
{
        return k + 1 < f->states.entries.n &&
               f->states.trace->events[f->states.entries.at[k + 1]].flags & WIRE_EV_FORCED;
}

static bool is_enabled(const struct trace *t, uint32_t k, uint32_t actor)
{
        const uint64_t *set = t->enabled + (size_t)k * t->enabled_words;

        return actor < t->enabled_words * 64 && bitset_has(set, actor);
}

/* Transition `next` is the next one of its actor, which could continue before transition k: would it have done something else
 * there?  Another answer to a choice has a state of its own; one that was woken since had waited with a deadline, and would
 * have timed out. */
static bool differs_at(const struct filters *f, uint32_t k, uint32_t next)
{
        const struct trace *t = f->states.trace;
        const struct wire_event *e = &t->events[f->states.entries.at[next]];

        if (e->op == OP_CHOOSE || e->next_choice != WIRE_NO_CHOICE)
                return true;
        if (!op_has(e->op, OPF_WOKEN))
                return false;
        for (uint32_t i = f->states.entries.at[k]; i < f->states.entries.at[next]; i++)
                if (t->events[i].op == OP_WAKE && t->events[i].choice == e->actor)
                        return true;
        return false;
}

/* All enabled actors continue from the state before transition k; names it in *node. */
static bool open_node(struct filters *f, const struct trace *t, uint32_t k, uint32_t *node)
{
        *node = FILTER_NONE;
        if (!f->steps)
                return true;
        *node = f->steps->ops->open(f->steps);
        for (uint32_t a = 0; a < t->enabled_words * 64 && *node != FILTER_NONE; a++) {
                struct filter_move m = {.actor = (uint16_t)a};
                uint32_t next;

                if (!is_enabled(t, k, a))
                        continue;
                f->acc.n = 0;
                next = hb_states_next_of(&f->states, a, k);
                if (next != CAUSALITY_NONE && !move_of(f, next, next != k, &m))
                        return false;
                m.sure = m.sure && next != CAUSALITY_NONE && !is_section(f, next) &&
                         !(next != k && differs_at(f, k, next));
                if (!f->steps->ops->may(f->steps, *node, &m))
                        return false;
        }
        return *node != FILTER_NONE;
}

/* Transition k was made alone since the node: may its actor continue so with the next one?  Under pso the flushes of several
 * buffers, of which none is enough, may enable another: so a flush is a step of its own. */
static int goes_on(struct filters *f, const struct trace *t, uint32_t k, uint32_t node)
{
        struct filter_move last, next;
        const uint64_t *before = t->enabled + (size_t)k * t->enabled_words, *after = before + t->enabled_words;
        bool enables = false;
        const struct wire_event *e;

        if (!f->steps || k + 1 >= f->states.entries.n)
                return 0;
        e = &t->events[f->states.entries.at[k + 1]];
        if (e->actor != t->events[f->states.entries.at[k]].actor || e->next_choice != WIRE_NO_CHOICE ||
            (f->pso && trace_is_buffer(t, e->actor)) || is_section(f, k + 1))
                return 0;
        f->acc.n = 0;
        if (!vec_reserve(&f->acc, hb_states_length(t, f->states.entries.at[k]) +
                                          hb_states_length(t, f->states.entries.at[k + 1])) ||
            !move_of(f, k, false, &last) || !move_of(f, k + 1, false, &next))
                return -1;
        for (uint32_t w = 0; w < t->enabled_words; w++) {
                uint64_t own = w == e->actor / 64u ? UINT64_C(1) << (e->actor % 64) : 0;
                enables |= (after[w] & ~before[w] & ~own) != 0;
        }
        return f->steps->ops->goes_on(f->steps, node, &last, &next, enables);
}

/* A way on from the state before transition k that the trace did not take. */
static bool add(struct filters *f, uint32_t path, uint32_t k, uint32_t node, uint32_t actor, uint32_t choice,
                bool preempts)
{
        struct frontier_entry e = {
                .path = path, .node = node, .actor = (uint16_t)actor, .choice = choice, .state = {.depth = k + 1}};
        uint32_t next =
                choice == WIRE_NO_CHOICE && !f->concrete ? hb_states_next_of(&f->states, actor, k) : CAUSALITY_NONE;

        if (next != CAUSALITY_NONE && !differs_at(f, k, next)) {
                e.state.known = true;
                e.state.hash = hb_states_foresee(&f->states, next, k);
        }
        if (!filters_wanted(f, &e.state))
                return true;
        if (!frontier_add(&f->frontier, &e, preempts))
                return false;
        if (f->steps)
                f->steps->ops->hold(f->steps, node);
        return true;
}

bool filters_preempts(const struct filters *f, const struct trace *t, uint32_t k, uint32_t actor)
{
        uint32_t last = actor;

        if (trace_is_buffer(t, actor))
                return false;
        for (uint32_t i = k; i > 0; i--) {
                last = t->events[f->states.entries.at[i - 1]].actor;
                if (!trace_is_buffer(t, last))
                        break;
        }
        return last != actor && !trace_is_buffer(t, last) && is_enabled(t, k, last);
}

static bool add_all(struct filters *f, const struct trace *t, uint32_t k, uint32_t path, uint32_t node)
{
        const struct wire_event *e = &t->events[f->states.entries.at[k]];

        for (uint32_t a = t->enabled_words * 64; a-- > 0;)
                if (a != e->actor && is_enabled(t, k, a) &&
                    !add(f, path, k, node, a, WIRE_NO_CHOICE, filters_preempts(f, t, k, a)))
                        return false;
        return true;
}

static int reached(struct filters *f, const struct filter_state *s)
{
        int r = 1;

        for (uint32_t i = 0; i < f->n_chain && r > 0; i++)
                if (f->chain[i]->ops->reached)
                        r = f->chain[i]->ops->reached(f->chain[i], s);
        return r;
}

/* The state after transition k, made from the node: <0; 0: nothing is to be run from it; 1: everything; 2: only what the
 * trace did. */
static int arrive(struct filters *f, const struct trace *t, uint32_t k, uint32_t node)
{
        struct filter_state s = {.depth = k + 1, .known = true};
        int alone;

        if (f->concrete) {
                s.hash = k + 1 < t->n_hashes ? t->hashes[k + 1] : 0;
                return s.hash ? reached(f, &s) : 1;
        }
        s.hash = hb_states_number(&f->states);
        if (f->steps && !filters_wanted(f, &s))
                return 0;
        alone = goes_on(f, t, k, node);
        return alone < 0 ? alone : alone ? 2 : reached(f, &s);
}

/* Transitions k to n ran from states from which all is run. */
static bool note_ways(struct filters *f, const struct trace *t, uint32_t k, uint32_t n)
{
        return !f->concrete || termination_graph_add(&f->graph, t, k, n);
}

/* Goes down the trace from the picked transition.  `path` is the link before transition k, `node` the state from which all
 * continued last; both are held. */
static int expand(struct filters *f, const struct trace *t, uint32_t k, uint32_t path, uint32_t node)
{
        int r = f->started ? 2 : 1; /* the root is reached once */
        uint32_t first = k;

        for (uint32_t i = 0; i < k; i++)
                hb_states_step(&f->states, i);
        for (; k < t->n_transitions && r > 0 && !late_soon(); k++) {
                const struct wire_event *e = &t->events[f->states.entries.at[k]];
                struct wire_decision d = {.actor = e->actor, .op = e->op, .choice = e->choice, .obj = e->obj};
                uint32_t link;

                if (r == 1) {
                        put_node(f, node);
                        if (!open_node(f, t, k, &node) || !add_all(f, t, k, path, node))
                                r = -ENOMEM;
                }
                if (r > 0 && e->next_choice != WIRE_NO_CHOICE &&
                    !add(f, path, k, node, e->actor, e->next_choice, false))
                        r = -ENOMEM;
                link = frontier_link(&f->frontier, path, &d, filters_preempts(f, t, k, e->actor));
                frontier_put(&f->frontier, path);
                path = link;
                if (link == FRONTIER_ROOT)
                        return -ENOMEM;
                hb_states_step(&f->states, k);
                if (r > 0)
                        r = arrive(f, t, k, node);
        }
        frontier_put(&f->frontier, path);
        put_node(f, node);
        return r < 0 || f->states.failed || !note_ways(f, t, first, k) ? -ENOMEM : 0;
}

static int filters_learn(struct strategy *base, const struct trace *t)
{
        struct filters *f = (struct filters *)base;
        uint32_t k = 0, path = FRONTIER_ROOT, node = FILTER_NONE;
        int r;

        if (t->n_transitions && (!t->enabled || !t->enabled_words))
                return -EINVAL;
        if (f->started) {
                path = f->at.path;
                node = f->at.node;
                k = path == FRONTIER_ROOT ? 0 : f->frontier.links.at[path].depth + 1;
        }
        r = f->chooser || hb_states_take(&f->states, t) ? 0 : -ENOMEM;
        if (f->chooser) {
                r = filters_choose(f, t);
                frontier_put(&f->frontier, path);
                put_node(f, node);
        } else if (!r && f->started && k >= f->states.entries.n) {
                frontier_put(&f->frontier, path);
                put_node(f, node);
                r = t->end != WIRE_END_FAILED ? -EINVAL : note_ways(f, t, k, t->n_transitions) ? 0 : -ENOMEM;
        } else if (!r)
                r = expand(f, t, k, path, node);
        f->started = true;
        f->given = false;
        return r;
}

static void filters_reset(struct strategy *base)
{
        struct filters *f = (struct filters *)base;

        frontier_reset(&f->frontier);
        hb_states_reset(&f->states);
        termination_graph_reset(&f->graph);
        for (uint32_t i = 0; i < f->n_chain; i++)
                if (f->chain[i]->ops->reset)
                        f->chain[i]->ops->reset(f->chain[i]);
        f->started = f->given = false;
}

static void filters_save(const struct strategy *base, struct stream *out)
{
        const struct filters *f = (const struct filters *)base;
        bool held = f->started && f->given;

        stream_put_u32(out, f->started);
        stream_put_u32(out, f->given);
        if (held)
                stream_put(out, &f->at, sizeof f->at);
        frontier_save(&f->frontier, out);
        hb_states_save(&f->states, out);
        for (uint32_t i = 0; i < f->n_chain; i++)
                if (f->chain[i]->ops->save)
                        f->chain[i]->ops->save(f->chain[i], out);
}

/* The nodes that entries continue from; false: out of memory, or there are some and no filter that knows them. */
static bool nodes_held(struct filters *f, bool held)
{
        f->nodes.n = 0;
        if (!vec_reserve(&f->nodes, f->frontier.heap.n + 1))
                return false;
        for (uint32_t i = 0; i < f->frontier.heap.n; i++)
                *vec_push(&f->nodes) = f->frontier.heap.at[i].node;
        if (held)
                *vec_push(&f->nodes) = f->at.node;
        for (uint32_t i = 0; i < f->nodes.n; i++)
                if ((f->nodes.at[i] == FILTER_NONE) != !f->holder)
                        return false;
        return true;
}

static int filters_load(struct strategy *base, struct stream *in)
{
        struct filters *f = (struct filters *)base;
        bool held, ok;

        filters_reset(base);
        f->started = stream_get_max(in, 1);
        f->given = stream_get_max(in, 1);
        held = f->started && f->given;
        if (held)
                stream_get(in, &f->at, sizeof f->at);
        ok = frontier_load(&f->frontier, in, held ? f->at.path : FRONTIER_ROOT) &&
             (!held || frontier_valid(&f->frontier, &f->at)) && hb_states_load(&f->states, in) && nodes_held(f, held);
        for (uint32_t i = 0; i < f->n_chain && ok; i++)
                if (f->chain[i]->ops->load)
                        ok = !f->chain[i]->ops->load(f->chain[i], in, f->nodes.at, f->holder ? f->nodes.n : 0);
        return ok && !in->failed ? 0 : -EINVAL;
}

static void filters_destroy(struct strategy *base)
{
        struct filters *f = (struct filters *)base;

        hb_states_fini(&f->states);
        frontier_fini(&f->frontier);
        for (uint32_t i = 0; i < f->n_chain; i++)
                f->chain[i]->ops->destroy(f->chain[i]);
        vec_fini(&f->acc);
        vec_fini(&f->nodes);
        vec_fini(&f->links);
        termination_graph_fini(&f->graph);
        free(f);
}

static const struct persist_ops filters_persist = {.format = "filters", .save = filters_save, .load = filters_load};

static const struct strategy_ops filters_ops = {
        .next = filters_next,
        .learn = filters_learn,
        .reset = filters_reset,
        .destroy = filters_destroy,
        .persist = &filters_persist,
};

struct strategy *filters_create(const struct config *config, bool blocks, bool concrete)
{
        static const char *const usual[] = {"seen"};
        uint32_t n = config->n_filters && !concrete ? config->n_filters : 1;
        const char *const *names = config->n_filters && !concrete ? config->filters : usual;
        struct filters *f = calloc(1, sizeof *f);

        if (!f)
                return NULL;
        f->base.ops = &filters_ops;
        frontier_init(&f->frontier, config->order, config->seed);
        for (uint32_t i = 0; i < n && i < FILTER_MAX; i++) {
                const struct filter_ops *ops = filter_find(names[i]);
                f->chain[i] = ops ? ops->create(config) : NULL;
                if (!f->chain[i])
                        break;
                if (ops->hold)
                        f->holder = f->chain[i];
                if (ops->goes_on)
                        f->steps = f->chain[i];
                if (ops->learn)
                        f->chooser = f->chain[i];
                f->n_chain++;
        }
        f->concrete = concrete;
        f->unsure = blocks;
        f->spurious = config->spurious > 0;
        f->watched = config->n_invariants > 0;
        f->pso = config->memory == WIRE_MEMORY_PSO;
        if (f->n_chain == n && hb_states_init(&f->states, config->exact))
                return &f->base;
        filters_destroy(&f->base);
        return NULL;
}

struct strategy *filters_make(const struct config *config, bool blocks)
{
        return filters_create(config, blocks, false);
}
