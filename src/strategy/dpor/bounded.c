/*
 * Bounded search: every behaviour with at most `bound` preemptions, for one bound or for 0, 1, 2 ... in turn (iterative
 * context bounding, Musuvathi, Qadeer: PLDI 2007), with bounded partial order reduction (Coons, Musuvathi, McKinley:
 * OOPSLA 2013).
 *
 * A preemption is a switch away from a thread that could have continued.  From a node an actor is run if it is in the node's
 * set `back` and its preemptions stay within the bound.  When a transition conflicts with an earlier one that does not
 * happen before its thread's last, its actor is added at the node before the earlier one, and, because that may cost a
 * preemption more, also at the beginning of the stretch of one thread which that belongs to: the conservative point.  An
 * actor that is not enabled there represents all that are.  All such pairs count, not only immediate ones: what lies
 * between the two may be beyond the bound.
 *
 * There are no sleep sets: an actor whose executions have been run may have been run with fewer preemptions left.  So
 * equivalent executions are run several times.  When nothing was omitted because of the bound, everything was run.
 *
 * Threads wait in loops until others wake them: whether a round is cut would change how many preemptions an execution has.  Where
 * this makes executions longer and longer, and no bound was asked for, another strategy takes over (`unmodelled`).
 *
 * Departures: an operation that may touch more in another order (a try that failed) counts as a write; where transitions
 * are blocks with branches in them, or do what depends on more, or stores wait in buffers, nothing is reduced: all enabled
 * actors are tried everywhere.
 */
#include "strategy/dpor/bounded.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bitset.h"
#include "config/config.h"
#include "strategy/dpor/path.h"
#include "strategy/makers.h"
#include "strategy/dpor/wakeup_tree.h"
#include "op/op.h"

#define STRIDES 2u
#define ENOUGH  1000u /* executions: a small program is finished before another strategy takes over */
#define GROWN   2u    /* bounds with longer executions than those before: rounds may follow each other without end */

/* Beside each node of the path: */
struct bounded_node {
        uint32_t spent;    /* preemptions before it */
        uint32_t last;     /* the thread that ran last; a switch to a store buffer is not a preemption */
        uint32_t previous; /* ... if it could continue here; else CAUSALITY_NONE */
        uint32_t stretch;  /* where the stretch of one thread begins that its transition belongs to */
};

struct bounded {
        struct strategy base;
        struct path path;
        VEC(struct bounded_node) nodes;
        VEC(uint64_t) sets; /* for each node, `words` each: enabled, back, done */
        uint32_t words;
        uint32_t n_threads;        /* actors from here on are store buffers */
        uint32_t first, last;      /* bounds */
        uint32_t stride;           /* from one to the next, from STRIDES on */
        bool blocks;               /* transitions have branches in them */
        bool short_of;             /* an execution was cut at a limit: the bound under way is not all of it */
        uint32_t longest;          /* transitions of the longest execution, ... */
        uint32_t before;           /* ... and of that within the bounds before the one under way */
        uint32_t grown;            /* bounds that have longer executions than those before */
        uint32_t runs;             /* executions, as far as ENOUGH */
        bool woken;                /* a thread has waited in a loop for others */
        const struct trace *trace; /* that is being learnt */
};

enum { ENABLED, BACK, DONE, SETS };

static uint64_t *set_of(const struct bounded *b, uint32_t i, uint32_t which)
{
        return &b->sets.at[((uint64_t)i * SETS + which) * b->words];
}

static void set_add(struct bounded *b, uint32_t i, uint32_t which, uint32_t actor)
{
        bitset_add(set_of(b, i, which), actor);
}

static bool set_has(const struct bounded *b, uint32_t i, uint32_t which, uint32_t actor)
{
        return actor / 64 < b->words && bitset_has(set_of(b, i, which), actor);
}

static bool is_buffer(const struct bounded *b, uint32_t actor)
{
        return actor >= b->n_threads;
}

/* Preemptions after node i if the actor runs there. */
static uint32_t spent(const struct bounded *b, uint32_t i, uint32_t actor)
{
        const struct bounded_node *n = &b->nodes.at[i];

        return n->spent + (n->previous != CAUSALITY_NONE && n->previous != actor && !is_buffer(b, actor));
}

/* Backtrack points. */

static void add_point(struct bounded *b, uint32_t i, uint32_t actor)
{
        if (set_has(b, i, ENABLED, actor))
                set_add(b, i, BACK, actor);
        else
                for (uint32_t w = 0; w < b->words; w++)
                        set_of(b, i, BACK)[w] |= set_of(b, i, ENABLED)[w];
}

static void set_stretch(struct bounded *b, uint32_t i)
{
        bool goes_on = i > 0 && b->path.nodes.at[i - 1].actor == b->path.nodes.at[i].actor;

        b->nodes.at[i].stretch = goes_on ? b->nodes.at[i - 1].stretch : i;
}

static bool on_conflict(void *arg, uint32_t i, uint32_t actor)
{
        struct bounded *b = arg;

        add_point(b, i, actor);
        add_point(b, b->nodes.at[i].stretch, actor);
        return true;
}

/* The transition of node i is known; what came before it is in the histories. */
static bool taken(void *arg, uint32_t i)
{
        struct bounded *b = arg;
        const struct path_node *n = &b->path.nodes.at[i];

        b->blocks |= op_has(n->op, OPF_SECTION) ||
                     (n->n_acc && wakeup_sure_of(n->op, &b->path.accesses.at[n->acc], n->n_acc) == WAKEUP_GUESS);
        set_stretch(b, i);
        set_add(b, i, BACK, n->actor);
        set_add(b, i, DONE, n->actor);
        for (uint32_t k = 0; k < n->n_acc; k++) {
                struct wire_access a = b->path.accesses.at[n->acc + k];
                if (op_mode(a.op) == WIRE_MODE_WRITE)
                        a.mode = WIRE_MODE_WRITE;
                if (!causality_conflicts(&b->path.causality, &a, on_conflict, b))
                        return false;
        }
        return true;
}

static bool no_race(void *arg, uint32_t i, uint32_t actor, const uint32_t *past)
{
        (void)arg, (void)i, (void)actor, (void)past;
        return true;
}

/* next() */

/* An actor to be run from node i within the bound, or CAUSALITY_NONE. */
static uint32_t untried(struct bounded *b, uint32_t i)
{
        for (uint32_t w = 0; w < b->words; w++) {
                uint64_t left = (b->blocks ? set_of(b, i, ENABLED) : set_of(b, i, BACK))[w] & ~set_of(b, i, DONE)[w];
                for (; left; left &= left - 1) {
                        uint32_t a = w * 64 + (uint32_t)__builtin_ctzll(left);
                        if (spent(b, i, a) <= b->base.bound)
                                return a;
                        set_add(b, i, DONE, a);
                        b->base.cut++;
                }
        }
        return CAUSALITY_NONE;
}

static void cut_to(struct bounded *b, uint32_t n)
{
        b->nodes.n = n;
        b->sets.n = n * SETS * b->words;
}

static bool turn(struct bounded *b)
{
        struct path *p = &b->path;

        for (uint32_t i = p->nodes.n; i-- > 0;) {
                bool more = p->nodes.at[i].more;
                uint32_t actor = more ? 0 : untried(b, i);

                if (actor == CAUSALITY_NONE)
                        continue;
                cut_to(b, i + 1);
                return more ? path_turn_branch(p, i) : path_turn(p, i, actor);
        }
        cut_to(b, 0);
        path_clear(p);
        causality_reset(&p->causality);
        return true;
}

/* What estimates are of: the bound under way. */
static void set_tree(struct bounded *b)
{
        b->base.trees = b->base.bound - b->first;
        b->base.trees_bound = b->base.bound + 1;
}

/* A bound is done.  Threads that keep each other in loops have longer executions with more preemptions, and many bounds, or no
 * last one.  A strategy that cuts rounds without effect needs few executions for these. */
static void look_at_growth(struct bounded *b)
{
        b->grown += b->before && b->longest > b->before;
        b->before = b->longest;
        if (b->base.replaceable && b->woken && b->grown >= GROWN && b->runs >= ENOUGH)
                b->base.unmodelled = "loops that make executions longer with each preemption";
}

static int bounded_next(struct strategy *base, struct schedule *out)
{
        struct bounded *b = (struct bounded *)base;
        int r;

        if (!b->path.given && b->path.started) {
                if (!turn(b))
                        return -ENOMEM;
                if (!b->path.nodes.n) {
                        if (!b->short_of)
                                base->proven = base->bound + 1;
                        if (!base->cut || base->bound >= b->last)
                                return 0;
                        look_at_growth(b);
                        base->cut = 0;
                        base->bound += base->bound < STRIDES ? 1 : b->stride;
                        set_tree(b);
                }
        }
        b->path.started = true;
        r = path_schedule(&b->path, out);
        out->flags = WIRE_WANT_ENABLED | WIRE_FAIR;
        out->n_sleep = 0;
        out->tail = WIRE_TAIL_STAY;
        return r;
}

/* learn() */

static bool widen(struct bounded *b, uint32_t words)
{
        uint32_t n = b->nodes.n;
        uint64_t *wide;

        if (words <= b->words)
                return true;
        wide = calloc((size_t)(n + 64) * SETS * words, sizeof *wide);
        if (!wide)
                return false;
        for (uint32_t i = 0; i < n * SETS; i++)
                memcpy(&wide[(size_t)i * words], &b->sets.at[(size_t)i * b->words], b->words * sizeof *wide);
        free(b->sets.at);
        b->sets.at = wide;
        b->sets.room = (n + 64) * SETS * words;
        b->sets.n = n * SETS * words;
        b->words = words;
        return true;
}

static bool pushed(void *arg, uint32_t i)
{
        struct bounded *b = arg;
        const struct trace *t = b->trace;
        uint32_t decision = b->path.nodes.at[i].decision;
        struct bounded_node *n;

        if (decision >= t->n_transitions || !vec_reserve(&b->nodes, 1) || !vec_reserve(&b->sets, SETS * b->words))
                return false;
        n = vec_push(&b->nodes);
        *n = (struct bounded_node){.previous = CAUSALITY_NONE};
        b->sets.n += SETS * b->words;
        memset(set_of(b, i, 0), 0, SETS * b->words * sizeof(uint64_t));
        memcpy(set_of(b, i, ENABLED), &t->enabled[(size_t)decision * t->enabled_words],
               t->enabled_words * sizeof(uint64_t));
        uint32_t before = i ? b->path.nodes.at[i - 1].actor : 0; /* the main thread runs before anything is decided */
        n->spent = i ? spent(b, i - 1, before) : 0;
        n->last = i && is_buffer(b, before) ? b->nodes.at[i - 1].last : before;
        n->previous = set_has(b, i, ENABLED, n->last) ? n->last : CAUSALITY_NONE;
        return true;
}

/* Threads that are blocked at the end conflict with what blocked them. */
static bool learn_blocked(struct bounded *b, const struct trace *t)
{
        for (uint32_t i = 0; i < t->n_threads; i++) {
                const struct wire_thread *w = &t->threads[i];
                struct wire_access a = {
                        .obj = w->obj, .size = 1, .actor = (uint16_t)i, .mode = WIRE_MODE_WRITE, .op = (uint8_t)w->op};

                if (w->state == WIRE_T_BLOCKED && op_blocked_by_object(w->op) &&
                    !causality_conflicts(&b->path.causality, &a, on_conflict, b))
                        return false;
        }
        return true;
}

/* How long it is, and does a thread wait in a loop in it? */
static void measure(struct bounded *b, const struct trace *t)
{
        b->runs += b->runs < ENOUGH;
        if (t->n_transitions > b->longest)
                b->longest = t->n_transitions;
        for (uint32_t i = 0; i < t->n_events && !b->woken; i++)
                b->woken = t->events[i].op == OP_WAKE && t->events[i].flags & WIRE_EV_SPUN;
}

static int bounded_learn(struct strategy *base, const struct trace *t)
{
        static const struct path_hooks hooks = {.pushed = pushed, .taken = taken, .race = no_race};
        struct bounded *b = (struct bounded *)base;
        int r;

        if (!t->enabled || !t->enabled_words)
                return -EINVAL;
        if (!widen(b, t->enabled_words))
                return -ENOMEM;
        b->trace = t;
        if (base->replaceable)
                measure(b, t);
        b->n_threads = trace_threads(t) > b->n_threads ? trace_threads(t) : b->n_threads;
        b->short_of |= t->end == WIRE_END_DEPTH || t->end == WIRE_END_BUDGET || t->end == WIRE_END_UNSEEN;
        b->blocks |= t->end == WIRE_END_DEPTH; /* conflicts with what comes after the cut are not seen */
        r = path_learn(&b->path, t, &hooks, b);
        return r ? r : learn_blocked(b, t) ? 0 : -ENOMEM;
}

static void bounded_reset(struct strategy *base)
{
        struct bounded *b = (struct bounded *)base;

        path_reset(&b->path);
        cut_to(b, 0);
        b->short_of = b->woken = false;
        b->longest = b->before = b->grown = b->runs = 0;
        base->cut = base->proven = 0;
        base->bound = b->first;
        set_tree(b);
}

static void bounded_save(const struct strategy *base, struct stream *out)
{
        const struct bounded *b = (const struct bounded *)base;

        path_save(&b->path, b->path.nodes.n, out);
        stream_put_u64(out, base->cut);
        stream_put_u32(out, base->bound);
        stream_put_u32(out, base->proven);
        stream_put_u32(out, b->short_of);
        stream_put_u32(out, b->blocks);
        stream_put_u32(out, b->words);
        stream_put_u32(out, b->n_threads);
        stream_put_u32(out, b->longest);
        stream_put_u32(out, b->before);
        stream_put_u32(out, b->grown);
        stream_put_u32(out, b->runs);
        stream_put_u32(out, b->woken);
        stream_put(out, b->nodes.at, b->nodes.n * sizeof *b->nodes.at);
        stream_put(out, b->sets.at, b->sets.n * sizeof *b->sets.at);
}

static bool load(struct bounded *b, struct stream *in)
{
        uint32_t n;

        if (!path_load(&b->path, in))
                return false;
        n = b->path.nodes.n;
        b->base.cut = stream_get_u64(in);
        b->base.bound = stream_get_u32(in);
        b->base.proven = stream_get_u32(in);
        b->short_of = stream_get_max(in, 1);
        b->blocks |= stream_get_max(in, 1);
        b->words = stream_get_max(in, WIRE_MAX_THREADS / 64);
        b->n_threads = stream_get_max(in, WIRE_MAX_THREADS);
        b->longest = stream_get_u32(in);
        b->before = stream_get_u32(in);
        b->grown = stream_get_u32(in);
        b->runs = stream_get_max(in, ENOUGH);
        b->woken = stream_get_max(in, 1);
        b->nodes.n = b->sets.n = 0;
        if (in->failed || !vec_reserve(&b->nodes, n + 1) || !vec_reserve(&b->sets, n * SETS * b->words + 1))
                return false;
        cut_to(b, n);
        stream_get(in, b->nodes.at, n * sizeof *b->nodes.at);
        stream_get(in, b->sets.at, b->sets.n * sizeof *b->sets.at);
        for (uint32_t i = 0; i < n; i++) {
                if (b->path.nodes.at[i].actor >= b->words * 64)
                        return false;
                set_stretch(b, i);
        }
        set_tree(b);
        return !in->failed;
}

static int bounded_load(struct strategy *base, struct stream *in)
{
        if (load((struct bounded *)base, in))
                return 0;
        bounded_reset(base);
        return -EINVAL;
}

static uint32_t bounded_path(const struct strategy *base, uint32_t *branch)
{
        const struct bounded *b = (const struct bounded *)base;

        *branch = b->path.branch;
        return b->path.nodes.n;
}

/* An actor beyond the bound is neither marked nor entered. */
static struct estimate_level bounded_level(const void *strategy, uint32_t i)
{
        const struct bounded *b = strategy;
        struct estimate_level l = {.marked = b->path.nodes.at[i].more};

        for (uint32_t w = 0; w < b->words; w++)
                for (uint64_t m = set_of(b, i, b->blocks ? ENABLED : BACK)[w]; m; m &= m - 1) {
                        uint32_t a = w * 64 + (uint32_t)__builtin_ctzll(m);
                        bool within = spent(b, i, a) <= b->base.bound;
                        l.marked += within;
                        l.entered += within && set_has(b, i, DONE, a);
                }
        return l;
}

static void bounded_destroy(struct strategy *base)
{
        struct bounded *b = (struct bounded *)base;

        path_fini(&b->path);
        vec_fini(&b->nodes);
        vec_fini(&b->sets);
        free(b);
}

static const struct persist_ops bounded_persist = {.format = "icb", .save = bounded_save, .load = bounded_load};
static const struct tree_ops bounded_tree = {.path = bounded_path, .level = bounded_level};

static const struct strategy_ops bounded_ops = {
        .next = bounded_next,
        .learn = bounded_learn,
        .reset = bounded_reset,
        .destroy = bounded_destroy,
        .persist = &bounded_persist,
        .tree = &bounded_tree,
};

struct strategy *bounded_create(uint32_t first, uint32_t last, bool blocks)
{
        struct bounded *b = calloc(1, sizeof *b);

        if (!b)
                return NULL;
        b->base.ops = &bounded_ops;
        b->base.bound = b->first = first;
        b->last = last;
        b->stride = 1;
        set_tree(b);
        b->blocks = blocks;
        if (!path_init(&b->path)) {
                free(b);
                return NULL;
        }
        b->path.sleepless = true;
        return &b->base;
}

struct strategy *bounded_create_quick(bool blocks)
{
        struct strategy *s = bounded_create(0, BOUND_NONE, blocks);

        if (s)
                ((struct bounded *)s)->stride = 2;
        return s;
}

bool bounded_unreduced(const struct config *config, bool blocks)
{
        return blocks || config->memory != WIRE_MEMORY_SC;
}

struct strategy *bounded_make(const struct config *config, bool blocks)
{
        struct strategy *s =
                bounded_create(0, config->bounded ? config->bound : BOUND_NONE, bounded_unreduced(config, blocks));

        if (s)
                s->replaceable = !config->bounded;
        return s;
}
