/*
 * An execution that is short enough is one window.  In a longer one the windows overlap by half; each execution has a few of them
 * searched, which follow those of the execution before.
 *
 * The search has a limit of steps for each execution, which its windows share.  Every state is entered once, so a window in which the limit is not
 * reached is searched completely.
 */
#include "strategy/predict/window.h"

#include "base/deadline.h"
#include "base/hash.h"
#include "op/op.h"
#include "strategy/mcr/mcr.h"
#include "strategy/mcr/wait/queues.h"
#include "strategy/mcr/races.h"

#define LENGTH  128u     /* transitions of a window, unless --window says so */
#define WINDOWS 8u       /* of one execution that are searched */
#define STEPS   8192u    /* for one execution */
#define MADE    4u       /* predictions from one execution; of races as many */
#define WAITING 64u      /* predictions of values that wait to be run: no more are made */
#define LONGEST 65536u   /* entries of an execution */
#define NODES   1000000u /* in tries */

static uint32_t n_threads(const struct window *w)
{
        return w->machine.tries.threads.n;
}

static const struct node *node_of(const struct window *w, uint32_t thread)
{
        return &w->machine.tries.nodes.at[machine_node(&w->machine, thread)];
}

/* Predictions. */

static void predict(struct window *w, enum prediction_kind kind, uint64_t key, uint32_t node)
{
        uint32_t *known = index_map_at(&w->known, key);
        struct forecast f = {.kind = kind, .pair = MODEL_NONE};

        if (*known || w->made == MADE)
                return;
        f.node = node;
        f.result = w->machine.unseen;
        if (!forecasts_path(w->forecasts, w->machine.path.at, w->machine.path.n, &f))
                return;
        *known = 1;
        w->made++;
}

/* The last step of the path gives an operation of the thread a result that no execution has shown. */
static void value(struct window *w, uint32_t thread)
{
        uint32_t at = machine_node(&w->machine, thread);
        const struct node *n = &w->machine.tries.nodes.at[at];

        if (n->kind < NODE_READ || n->kind == NODE_LOCAL || n->kind == NODE_CREATE)
                return;
        predict(w, PREDICT_VALUE, hash_mix(hash_mix(hash_mix(7, n->site), at), w->machine.unseen), at);
}

static uint64_t deadlock_key(struct hash128 class)
{
        return hash_mix(hash_mix(8, class.a), class.b);
}

/* No thread can take a step: is it a deadlock? */
static void stuck(struct window *w)
{
        const struct machine *m = &w->machine;

        if (m->now.at[m->tries.process] || !machine_node(m, 0) || node_of(w, 0)->kind <= NODE_CUT)
                return;
        for (uint32_t i = 0; i < n_threads(w); i++)
                if (machine_node(m, i) && (node_of(w, i)->kind == NODE_UNKNOWN || node_of(w, i)->kind == NODE_STOP ||
                                           node_of(w, i)->kind == NODE_CUT || !machine_knows(&w->machine, i)))
                        return;
        predict(w, PREDICT_DEADLOCK, deadlock_key(machine_class(&m->tries, m->now.at)), 0);
}

static struct pair_access access_of(const struct window *w, uint32_t thread)
{
        const struct node *n = node_of(w, thread);
        bool reads = n->kind == NODE_READ || n->op == OP_FUTEX_WAIT;
        uint8_t kind = n->flags & NODE_PLAIN ? reads ? RACE_READ : RACE_WRITE
                       : reads               ? RACE_ATOMIC_READ
                                             : RACE_ATOMIC_WRITE;

        return (struct pair_access){
                .site = n->site, .actor = (uint16_t)thread, .kind = n->kind == NODE_FREE ? RACE_FREE : kind};
}

/* The next operations of these threads are a race; one that frees comes first. */
static void race(struct window *w, uint32_t one, uint32_t other)
{
        struct machine *m = &w->machine;
        uint32_t changes = m->changes.n, path = m->path.n;
        bool swap = node_of(w, other)->kind == NODE_FREE;
        struct pair_access a = access_of(w, swap ? other : one), b = access_of(w, swap ? one : other);
        uint8_t order;
        struct forecast f = {.kind = a.kind == RACE_FREE ? PREDICT_FREED : PREDICT_RACE,
                             .pair = pairs_find(w->pairs, &a, &b, &order),
                             .site = {a.site, b.site},
                             .actor = {a.actor, b.actor}};

        if (!pair_wants(&w->pairs->list.at[f.pair], f.kind))
                return;
        machine_plan(m, a.actor);
        machine_plan(m, b.actor);
        if (forecasts_path(w->forecasts, m->path.at, m->path.n, &f)) {
                pair_predicted(&w->pairs->list.at[f.pair], f.kind);
                w->races++;
        }
        machine_undo(m, changes, path);
}

static void races(struct window *w)
{
        for (uint32_t i = 1; i < n_threads(w); i++)
                for (uint32_t k = 0; k < i && w->races < MADE; k++)
                        if (races_are(&w->machine.tries, node_of(w, i), node_of(w, k)) &&
                            machine_enabled(&w->machine, i) && machine_enabled(&w->machine, k))
                                race(w, k, i);
}

/* The search. */

static void enter(struct window *w)
{
        struct window_frame f = {.changes = w->machine.changes.n, .path = w->machine.path.n};

        for (uint32_t i = 0; i < n_threads(w) && !f.only; i++) {
                const struct node *n = node_of(w, i);

                f.only = (n->flags & NODE_FORCED) || (n->kind == NODE_JOIN && machine_enabled(&w->machine, i));
                f.thread = f.only ? i : 0;
        }
        if (!f.only)
                races(w);
        vec_need(&w->frames, 1);
        *vec_push(&w->frames) = f;
}

static bool find_step(struct window *w, struct window_frame *f)
{
        for (; f->thread < n_threads(w); f->thread++, f->choice = 0) {
                if (machine_enabled(&w->machine, f->thread) && f->choice < machine_choices(&w->machine, f->thread))
                        return true;
                if (f->only)
                        return false;
        }
        return false;
}

static bool find_flush(const struct window *w, struct window_frame *f)
{
        for (; f->buffer < w->machine.tries.buffers.n; f->buffer++)
                if (machine_may_flush(&w->machine, w->machine.tries.buffers.at[f->buffer]))
                        return true;
        return false;
}

/* A step from the last state, or back. */
static void advance(struct window *w, uint32_t depth)
{
        struct window_frame *f = &w->frames.at[w->frames.n - 1];
        struct machine *m = &w->machine;
        bool step = w->frames.n <= depth && find_step(w, f),
             flush = w->frames.n <= depth && !step && !f->only && find_flush(w, f);

        if (!step && !flush) {
                if (!f->moved && w->frames.n <= depth)
                        stuck(w);
                if (--w->frames.n)
                        machine_undo(m, w->frames.at[w->frames.n - 1].changes, w->frames.at[w->frames.n - 1].path);
                return;
        }
        w->steps++;
        f->moved = true;
        if (flush) {
                machine_flush(m, m->tries.buffers.at[f->buffer++]);
        } else if (machine_step(m, f->thread, f->choice++) == MACHINE_UNSEEN) {
                value(w, f->thread);
                machine_undo(m, f->changes, f->path);
                return;
        }
        if (seen_add(&w->states, m->hash))
                enter(w);
        else
                machine_undo(m, f->changes, f->path);
}

static void search(struct window *w, uint32_t depth, uint32_t limit)
{
        uint32_t changes = w->machine.changes.n, path = w->machine.path.n;

        w->frames.n = 0;
        enter(w);
        while (w->frames.n && w->steps < limit && w->made < MADE && !late_soon())
                advance(w, depth);
        machine_undo(&w->machine, changes, path);
}

/* The execution. */

/* The machine takes the step of the execution that begins with this entry; false: it does not. */
static bool follow(struct window *w, const struct wire_event *e)
{
        struct machine *m = &w->machine;
        uint32_t changes = m->changes.n, path = m->path.n;

        if (e->op == OP_FLUSH) {
                for (uint32_t i = 0; i < m->tries.buffers.n; i++) {
                        uint32_t b = m->tries.buffers.at[i];
                        if (m->tries.cells.at[b].key == e->actor && machine_may_flush(m, b)) {
                                machine_flush(m, b);
                                return true;
                        }
                }
                return false;
        }
        if (e->op == OP_JOIN && e->actor < n_threads(w) && node_of(w, e->actor)->kind != NODE_JOIN)
                return true; /* the machine joins as soon as it can */
        if (e->actor >= n_threads(w) || !machine_enabled(m, e->actor))
                return false;
        for (uint32_t k = 0; k < machine_choices(m, e->actor); k++) {
                enum machine_answer a = machine_step(m, e->actor, k);
                uint32_t choice = m->path.at[path].choice;

                if (a == MACHINE_DONE && (choice == WIRE_NO_CHOICE || choice == e->choice))
                        return true;
                machine_undo(m, changes, path);
        }
        return false;
}

/* Is a search worth it?  Where nothing new was learnt, or searches have shown nothing, there are fewer of them. */
static bool due(struct window *w)
{
        bool fresh = w->machine.tries.nodes.n != w->nodes;

        if (w->forecasts->queues[QUEUE_VALUES].list.n >= WAITING)
                return false;
        if (w->rest < w->fruitless * (fresh ? 1 : 4)) {
                w->rest++;
                return false;
        }
        w->rest = 0;
        w->nodes = w->machine.tries.nodes.n;
        return true;
}

void window_read(struct window *w, const struct trace *t)
{
        uint32_t length = w->config->window ? w->config->window : LENGTH, half = (length + 1) / 2, n = 0, searched = 0;
        uint32_t windows = t->n_transitions > length ? (t->n_transitions - length + half - 1) / half + 1 : 1;
        uint64_t first = w->round * WINDOWS;

        if (w->off || w->unlearnt || late_reported() || !due(w))
                return;
        w->round++;
        w->steps = w->made = w->races = 0;
        machine_undo(&w->machine, 0, 0);
        machine_grow(&w->machine);
        if (machine_begin(&w->machine) == MACHINE_UNSEEN)
                return;
        seen_fini(&w->states);
        seen_init(&w->states, UINT64_MAX);
        for (uint32_t i = 0, size; i < t->n_events && searched < WINDOWS && !late_soon(); i += size, n++) {
                size = trace_transition_length(t, i);
                if (n % half == 0 && n / half < windows &&
                    (windows <= WINDOWS || (n / half + windows - first % windows) % windows < WINDOWS)) {
                        searched++;
                        search(w, length, STEPS * searched / (windows < WINDOWS ? windows : WINDOWS));
                }
                if ((t->events[i].flags & WIRE_EV_SCHED) && !follow(w, &t->events[i]))
                        break;
        }
        w->fruitless = w->made + w->races ? 0 : w->fruitless + 1;
}

void window_learn(struct window *w, const struct trace *t)
{
        w->unlearnt = t->n_events > LONGEST;
        if (w->off || w->unlearnt)
                return;
        machine_undo(&w->machine, 0, 0);
        w->off = w->machine.tries.nodes.n > NODES || !learner_add(&w->learner, &w->machine.tries, t);
        if (!w->off && t->end == WIRE_END_STUCK)
                *index_map_at(&w->known, deadlock_key(w->learner.class)) = 1;
}

bool window_shows(struct window *w, const struct forecast *f)
{
        struct tries *t = &w->machine.tries;

        return !w->off && f->node && (f->result == MACHINE_WAITS || tries_child(t, queues_from(t, f->node), f->result));
}

void window_init(struct window *w, const struct config *config)
{
        w->config = config;
        w->off = mcr_not_modelled(config) != NULL;
        w->unlearnt = false;
        w->round = 0;
        w->fruitless = w->rest = w->nodes = 0;
        machine_init(&w->machine);
        seen_init(&w->states, UINT64_MAX);
        w->machine.tries.spurious = config->spurious;
        for (uint32_t i = 0; i < WIRE_PRIMITIVES; i++)
                w->machine.tries.wakeup[i] = (uint8_t)config->wakeup[i];
        w->learner.end = MACHINE_END_POINTERS;
        w->learner.observes = config->n_observe > 0;
}

void window_fini(struct window *w)
{
        machine_fini(&w->machine);
        learner_fini(&w->learner);
        w->learner = (struct learner){.reason = NULL};
        seen_fini(&w->states);
        index_map_fini(&w->known);
        vec_fini(&w->frames);
}
