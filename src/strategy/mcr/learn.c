/*
 * See learn.h.  The entries of an execution are compared with what the machine would do: reads return what was written
 * last, objects are in the state that the last operation left, a thread with the same history does the same.  Where that does
 * not hold, the program does something that is not modelled, and the search is left to another strategy.
 */
#include "strategy/mcr/learn.h"

#include "base/deadline.h"
#include "op/op.h"
#include "op/user.h"
#include "strategy/mcr/buffers.h"
#include "strategy/mcr/clocked.h"
#include "strategy/mcr/nodes.h"
#include "strategy/mcr/objects.h"
#include "strategy/mcr/stops.h"
#include "strategy/mcr/wait/cancels.h"
#include "strategy/mcr/wait/polls.h"
#include "strategy/mcr/wait/queues.h"
#include "strategy/mcr/users.h"
#include "strategy/mcr/wide.h"
#include "strategy/mcr/wait/waiters.h"
#include "strategy/mcr/wait/waits.h"

void learner_fini(struct learner *l)
{
        vec_fini(&l->now);
        vec_fini(&l->setter);
        vec_fini(&l->at);
        vec_fini(&l->failed);
        vec_fini(&l->open.cells);
}

static void start(struct learner *l, const struct tries *t, uint32_t n_threads)
{
        l->now.n = l->setter.n = l->at.n = l->open.cells.n = 0;
        l->reason = NULL;
        learner_grow(l, t);
        if (!vec_reserve(&l->at, n_threads + 1))
                memory_out();
        for (uint32_t i = 0; i <= n_threads; i++)
                *vec_push(&l->at) = i ? 0 : TRIES_MAIN;
}

/* Has a read from a channel written memory that no entry has shown before?  What was there is not known: the entry comes after
 * the call. */
static bool is_filled(const struct tries *t, const struct trace *trace, uint32_t i)
{
        const struct wire_event *e = &trace->events[i];

        if ((e->op != OP_WRITE && e->op != OP_WORD) || (e->flags & WIRE_EV_SCHED) ||
            (e->weak & (WIRE_WEAK_HIDDEN | WIRE_WEAK_BUFFERED)) || tries_cell(t, CELL_MEMORY, e->obj >> 3))
                return false;
        while (i && !(trace->events[i].flags & WIRE_EV_SCHED))
                if (op_object(trace->events[--i].op) == OP_OBJ_CHANNEL && trace->events[i].mode == WIRE_MODE_WRITE)
                        return true;
        return false;
}

/* The memory of an execution that is shared, before anything is observed. */
static bool find_memory(struct learner *l, struct tries *t, const struct trace *trace, uint32_t n)
{
        for (uint32_t i = 0; i < n; i++) {
                const struct wire_event *e = &trace->events[i];
                if (op_object(e->op) != OP_OBJ_MEMORY || e->op == OP_OBSERVE || e->op == OP_FREE ||
                    (e->weak & WIRE_WEAK_HIDDEN))
                        continue;
                if (is_filled(t, trace, i))
                        return learner_unmodelled(l, "memory that a call fills");
                tries_cell_make(t, CELL_MEMORY, e->obj >> 3, trace->before[i]);
        }
        return true;
}

/* A store reaches memory. */
static bool flush(struct learner *l, struct tries *t, const struct wire_event *e)
{
        uint32_t buffer = tries_cell(t, CELL_BUFFER, e->actor), s = 0;

        if (buffer && op_has(e->op, OPF_FLUSHES))
                s = buffers_next(t, l->now.at, l->at.at[t->cells.at[buffer].size], buffer, false);
        if (!s)
                return learner_unmodelled(l, op_name(e->op));
        struct node *n = &t->nodes.at[s];
        if (e->weak & WIRE_WEAK_DRAINED)
                n->behind = e->choice;
        if (!(n->flags & NODE_IGNORED))
                l->now.at[n->cell] = (l->now.at[n->cell] & ~n->mask) | n->value;
        l->now.at[buffer]++;
        l->now.at[t->cells.at[buffer].flushed]++;
        return true;
}

static void apply(struct learner *l, struct tries *t, const struct event *ev, uint32_t at, uint32_t child)
{
        const struct node *n = &t->nodes.at[at];
        uint64_t *cell = &l->now.at[n->cell];

        if (n->kind == NODE_WRITE && !(n->flags & (NODE_BUFFERED | NODE_IGNORED)))
                *cell = (*cell & ~n->mask) | n->value;
        else if (ev->writes && n->kind == NODE_UPDATE)
                *cell = (*cell & ~n->mask) | ev->wrote;
        else if (n->kind == NODE_FREE || n->kind == NODE_CANCEL)
                *cell = 1;
        if (ev->writes) {
                t->nodes.at[child].flags |= NODE_WROTE;
                t->nodes.at[child].wrote = ev->wrote;
        }
}

/* The last entries of threads that failed. */
static void find_failed(struct learner *l, const struct trace *trace, uint32_t n_threads)
{
        l->failed.n = 0;
        if (!vec_reserve(&l->failed, n_threads + 1))
                memory_out();
        for (uint32_t i = 0; i <= n_threads; i++)
                *vec_push(&l->failed) = 0;
        for (uint32_t i = 0; i < trace->n_events && trace->n_failures; i++) {
                uint32_t actor = trace->events[i].actor;
                if (actor < n_threads && trace->threads[actor].state == WIRE_T_FAILED && trace->events[i].op != OP_WORD)
                        l->failed.at[actor] = i + 1;
        }
}

/* Does it belong to the entry before?  Bytes of a load, words, threads that a signal wakes, parts of a barrier, the join of a try,
 * what a failed check at the end has read.
 * n: the thread's node. */
static bool is_part(const struct tries *t, const struct wire_event *e, const struct node *n)
{
        return e->op == OP_FORWARD || e->op == OP_LOOK || e->op == OP_WORD || e->op == OP_FUTEX_QUEUE ||
               users_second(e) || (e->op == OP_WAKE && !(e->flags & WIRE_EV_SPUN)) ||
               (e->op == OP_BARRIER_WAIT && !(e->flags & WIRE_EV_SCHED)) ||
               (e->op == OP_JOIN && n->result && t->nodes.at[n->parent].op == OP_TRYJOIN &&
                t->nodes.at[n->parent].obj == e->obj);
}

/* Does the signal before wake another waiter, by what is known?  Objects may have policies of their own. */
static bool wakes_other(const struct learner *l, const struct tries *t, const struct wire_event *e)
{
        return e->op == OP_WAKE && e->choice < l->at.n && waits_sleeps(t, l->now.at, l->at.at[e->choice]);
}

static void set_cell(void *l, uint32_t cell, uint64_t value)
{
        ((struct learner *)l)->now.at[cell] = value;
}

/* A signal has ended a wait with a deadline. */
static bool woken(struct learner *l, struct tries *t, uint32_t thread)
{
        uint32_t at = thread < l->at.n ? l->at.at[thread] : 0;
        const struct node *wait = &t->nodes.at[t->nodes.at[t->nodes.at[at].parent].parent];
        struct node is = {.kind = NODE_WAIT,
                          .op = OP_COND_TIMEOUT,
                          .obj = wait->obj,
                          .site = wait->site,
                          .cell = wait->cell,
                          .flags = NODE_POINT | NODE_AWAITED | (wait->flags & NODE_DRAINS)};

        if (wait->op != OP_COND_WAIT)
                return learner_unmodelled(l, op_name(OP_WAKE));
        if (!learner_node_is(l, t, at, &is))
                return false;
        l->at.at[thread] = tries_child_make(t, at, OBJECT_DONE ^ clocked_result(t, l->now.at, at, OBJECT_DONE));
        return true;
}

/* A channel that a thread polls was used. */
static bool poll_woken(struct learner *l, struct tries *t, uint32_t thread, const struct node *is)
{
        uint32_t cell = waiters_make(t, thread);

        learner_grow(l, t);
        l->now.at[cell] = WAITERS_LEFT;
        return learner_node_is(l, t, l->at.at[thread], is);
}

/* The unlock of a wait with a deadline that ends by itself. */
static bool ends_wait(const struct learner *l, const struct tries *t, uint32_t at)
{
        const struct node *wait = waiters_before(t, at);

        return wait && wait->value && waiters_over(t, l->now.at, t->nodes.at[at].thread);
}

/* An operation that a plugin defines. */
static bool user_event(struct learner *l, struct tries *t, const struct trace *trace, uint32_t i, struct event *out)
{
        const struct wire_event *e = &trace->events[i];

        understand_begin(e, out);
        if (t->clocked)
                return learner_unmodelled(l, "clocks beside operations of plugins");
        if (!users_event(t, trace, i, &out->node))
                return learner_unmodelled(l, op_name(e->op));
        learner_grow(l, t);
        t->unordered |= out->node.moved != 0;
        out->result = users_result(l->now.at, &out->node, e->actor);
        return users_agree(l->now.at, &out->node, e, out->result) || learner_unmodelled(l, op_name(e->op));
}

/* Is it an operation within a transition whose result depends on what has reached memory? */
static bool is_mixed(const struct node *n)
{
        if ((n->flags & (NODE_POINT | NODE_BUFFERED)) || n->op == OP_OBSERVE)
                return false;
        return (n->mask && n->kind != NODE_LOCAL) || n->kind == NODE_FREE || n->kind == NODE_ORDERED ||
               n->kind == NODE_USER || n->kind == NODE_TRY;
}

/* An operation of a thread; before: as in the trace. */
static bool operation(struct learner *l, struct tries *t, const struct trace *trace, uint32_t i,
                      const struct wire_event *e, uint64_t before)
{
        uint32_t at = l->at.at[e->actor], child;
        struct event ev;

        if (!(e->op >= OP_USER ? user_event(l, t, trace, i, &ev) : understand(l, t, e, before, &ev)))
                return false;
        if (e != &trace->events[i] && !(e->flags & WIRE_EV_SCHED))
                ev.node.flags |= NODE_WORD;
        if (ev.node.kind == NODE_WRITE && l->failed.at[e->actor] == i + 1)
                ev.node.flags |= NODE_GUESS;
        if (t->cancels && cancels_passed(trace, i))
                ev.node.flags |= NODE_CANCELS;
        if (!learner_node_is(l, t, at, &ev.node))
                return false;
        if (!cancels_late(&ev.node) && cancels_now(t, l->now.at, at))
                return learner_unmodelled(l, op_name(e->op));
        waits_leave(t, l->now.at, at, set_cell, l);
        if (ev.node.kind == NODE_OBJECT) {
                bool delayed = ev.node.flags & NODE_BUFFERED;
                uint64_t state = l->now.at[ev.node.cell];
                struct object_effect f = object_do(e->op, state, e->actor, t->nodes.at[at].value);
                ev.result =
                        f.result ^ learner_liveness(l, t, ev.node.cell) ^ clocked_result(t, l->now.at, at, f.result);
                l->now.at[ev.node.cell] = delayed ? state : f.after;
                l->setter.at[ev.node.cell] = object_sets(e->op) ? at : 0;
        }
        if (ev.node.kind == NODE_WAIT) {
                ev.result = waits_result(t, l->now.at, &t->nodes.at[at], e->actor);
                ev.result ^= learner_liveness(l, t, ev.node.cell) ^ clocked_result(t, l->now.at, at, ev.result);
        }
        ev.result = cancels_result(t, l->now.at, at, ev.result);
        if (ev.node.kind == NODE_CREATE) {
                if (!t->nodes.at[at].root) {
                        uint32_t root = tries_root(t, e->choice);
                        t->nodes.at[at].root = root;
                }
                l->at.at[e->choice] = t->nodes.at[at].root;
        }
        if (ev.node.kind == NODE_LOCAL && t->nodes.at[at].child &&
            t->nodes.at[t->nodes.at[at].child].result != ev.result)
                return learner_unmodelled(l, "variables that are observed before they are shared");
        t->mixed |= is_mixed(&ev.node);
        child = tries_child_make(t, queues_from(t, at), ev.result);
        if ((ev.node.kind == NODE_UPDATE || ev.node.kind == NODE_WAIT || ev.node.kind == NODE_ORDERED) &&
            t->nodes.at[child].kind != NODE_UNKNOWN &&
            (!!(t->nodes.at[child].flags & NODE_WROTE) != ev.writes || t->nodes.at[child].wrote != ev.wrote))
                return learner_unmodelled(l, "an update that writes something else after the same values");
        t->nodes.at[child].led = orders_of(e);
        apply(l, t, &ev, at, child);
        if (ev.node.op == OP_MUTEX_RELOCK && t->cancels)
                cancels_leave(t, l->now.at, at, e->choice, set_cell, l);
        ordered_do(&l->open, t, l->now.at, &t->nodes.at[at], child, e->actor, set_cell, l);
        clocked_do(t, l->now.at, &t->nodes.at[at], child, e->choice, set_cell, l);
        if (ev.node.kind == NODE_USER)
                users_do(l->now.at, &t->nodes.at[at], e->actor, set_cell, l);
        if (ev.node.kind == NODE_WAIT)
                waits_do(t, l->now.at, &t->nodes.at[at], &t->nodes.at[child], e->actor, e->choice, set_cell, l);
        l->at.at[e->actor] = child;
        l->now.at[t->threads.at[e->actor]] = child; /* futexes: what a waiter waits with is said there */
        return !ends_wait(l, t, child) || woken(l, t, e->actor);
}

/* An access of several words, which are operations of one transition.  An update reads all of them before it is known what it writes. */
static bool wide_entry(struct learner *l, struct tries *t, const struct trace *trace, uint32_t i)
{
        struct wide_word words[WIRE_MAX_WORDS];
        uint32_t n = wide_words(trace, i, words);
        bool relaxed = l->relaxed;

        if (!n)
                return learner_unmodelled(l, "accesses of more than 8 bytes");
        for (uint32_t k = 1; k < n; k++)
                if (is_filled(t, trace, words[k].at))
                        return learner_unmodelled(l, "memory that a call fills");
        for (uint32_t k = 0; k < n && wide_updates(trace->events[i].op); k++) {
                struct wire_event reads = wide_reads(&words[k]);
                if (!operation(l, t, trace, i, &reads, words[k].before))
                        return false;
                words[k].entry.flags &= (uint8_t)~WIRE_EV_SCHED;
        }
        l->relaxed = relaxed; /* what comes now orders */
        for (uint32_t k = 0; k < n; k++)
                if (!operation(l, t, trace, i, &words[k].entry, words[k].before))
                        return false;
        return true;
}

/* What a thread that ends gives up, where the entry after says so. */
static bool given_up(struct learner *l, struct tries *t, const struct trace *trace, uint32_t i)
{
        struct wire_event e;
        struct event ev;

        if (i + 1 >= trace->n_events || !cancels_part(trace, i + 1))
                return true;
        e = trace->events[i + 1];
        e.flags = trace->events[i].flags;
        if (ordered_known(e.op) && op_blocks(e.op)) {
                understand_begin(&e, &ev);
                ev.node.kind = NODE_ORDERED;
                ev.node.cell = ordered_cell(t, e.obj);
                learner_grow(l, t);
                if (trace->events[i].op == OP_CANCELLED)
                        ordered_learn(t, ev.node.cell, l->now.at[ev.node.cell], 0, ordered_awaits(e.op));
        } else if (!object_known(e.op) || !op_may_wait(e.op)) {
                return true;
        } else if (!understand(l, t, &e, 0, &ev)) {
                return false;
        }
        ev.node.flags |= NODE_AWAITED | NODE_CANCELS | (trace->events[i].weak & WIRE_WEAK_DRAINED ? NODE_DRAINS : 0);
        return learner_node_is(l, t, l->at.at[e.actor], &ev.node);
}

/* A thread that was asked to end does so. */
static bool cancelled_entry(struct learner *l, struct tries *t, const struct trace *trace, uint32_t i)
{
        const struct wire_event *e = &trace->events[i];
        uint32_t at = l->at.at[e->actor], child;

        if (!cancels_asked(t, l->now.at, e->actor))
                return learner_unmodelled(l, op_name(e->op));
        if (!given_up(l, t, trace, i))
                return false;
        t->nodes.at[at].flags |= NODE_CANCELS | (e->weak & WIRE_WEAK_DRAINED ? NODE_DRAINS : 0);
        child = tries_child_make(t, at, TRIES_CANCELLED);
        t->nodes.at[child].led = orders_of(e);
        l->at.at[e->actor] = child;
        l->now.at[t->threads.at[e->actor]] = child;
        return true;
}

static bool entry(struct learner *l, struct tries *t, const struct trace *trace, uint32_t i)
{
        const struct wire_event *e = &trace->events[i];
        uint32_t at = e->actor < l->at.n ? l->at.at[e->actor] : 0;
        struct event ev;

        if (e->op == OP_WAKE && e->value == OP_COND_TIMEOUT)
                return woken(l, t, e->choice);
        if (e->op == OP_WAKE && e->choice < l->at.n && polls_again(t, l->at.at[e->choice], &ev.node))
                return poll_woken(l, t, e->choice, &ev.node);
        if (t->cancels && cancels_part(trace, i))
                return true;
        if (wakes_other(l, t, e))
                return learner_unmodelled(l, "policies of single objects");
        if (is_part(t, e, &t->nodes.at[at]))
                return true;
        if (trace_is_buffer(trace, e->actor))
                return flush(l, t, e);
        if (!at)
                return learner_unmodelled(l, "a thread that was not created");
        if (t->cancels && cancels_entry(trace, i))
                return cancelled_entry(l, t, trace, i);
        if (is_filled(t, trace, i))
                return learner_unmodelled(l, "memory that a call fills");
        return wide_is(e) ? wide_entry(l, t, trace, i) : operation(l, t, trace, i, e, trace->before[i]);
}

/* Where a thread stopped. */
static bool stopped(struct learner *l, struct tries *t, uint32_t thread, const struct wire_thread *w)
{
        uint32_t at = l->at.at[thread];
        struct node is = {.op = (uint8_t)w->op,
                          .obj = w->obj,
                          .site = w->site,
                          .flags = NODE_POINT | NODE_AWAITED | (w->cancels ? NODE_CANCELS : 0)};

        switch (w->state) {
        case WIRE_T_UNUSED: return true;
        case WIRE_T_DONE: is = (struct node){.kind = NODE_END}; break;
        case WIRE_T_SPIN: is = (struct node){.kind = NODE_CUT}; break;
        case WIRE_T_FAILED:
        case WIRE_T_ASSUME:
        case WIRE_T_EXITED: is = (struct node){.kind = NODE_STOP}; break;
        case WIRE_T_READY:
        case WIRE_T_BLOCKED:
                if (!at || !stops_pending(l, t, thread, w, &is))
                        return false;
                break;
        default: return learner_unmodelled(l, "threads that are cut");
        }
        return at && (is.kind == NODE_UNKNOWN || learner_node_is(l, t, at, &is));
}

static void classify(struct learner *l, const struct tries *t, uint32_t n_threads)
{
        for (uint32_t i = 0; i < n_threads; i++)
                if (l->at.at[i])
                        l->now.at[t->threads.at[i]] = l->at.at[i];
        l->class = machine_class(t, l->now.at);
        l->ended = machine_class_end(t, l->now.at, l->end);
}

/* Entries without those that stand for reads after the end of all threads (--observe). */
static uint32_t entries(const struct trace *trace)
{
        uint32_t n = trace->n_events;

        while (n && trace->events[n - 1].op == OP_OBSERVE && trace->threads[0].state == WIRE_T_DONE)
                n--;
        return n;
}

/* These stand for reads of the memory that is shared. */
static void find_final(struct tries *t, const struct trace *trace, uint32_t n_entries)
{
        for (uint32_t i = n_entries; i < trace->n_events; i++) {
                uint32_t cell = tries_cell(t, CELL_MEMORY, trace->events[i].obj >> 3);
                if (cell)
                        t->cells.at[cell].final = true;
        }
}

const char learner_clocks[] = "clocks that only some executions read";

bool learner_add(struct learner *l, struct tries *t, const struct trace *trace)
{
        uint32_t n = trace_threads(trace), n_entries = entries(trace);

        l->reason = NULL;
        l->reads = 0;
        if (!trace->before)
                return learner_unmodelled(l, "executions without values");
        if (trace->clocks & WIRE_CLOCKS_HIDDEN) /* no entry shows what is read */
                return learner_unmodelled(l, "states of libc such as that of lrand48");
        if (trace->clocks && !t->clocked && t->nodes.at[TRIES_MAIN].kind != NODE_UNKNOWN)
                return learner_unmodelled(l, learner_clocks);
        t->clocked |= trace->clocks != 0;
        if (l->observes && !find_memory(l, t, trace, n_entries))
                return false;
        find_final(t, trace, n_entries);
        start(l, t, n);
        find_failed(l, trace, n);
        if (cancels_find(t, trace, n_entries) && (t->clocked || waiters_ordered(t, OP_MUTEX_RELOCK)))
                return learner_unmodelled(l, "cancellation beside clocks or queues of locks");
        learner_grow(l, t);
        for (uint32_t i = 0; i < n_entries; i++) {
                if (late_soon())
                        return true;
                if (!entry(l, t, trace, i))
                        return false;
        }
        for (uint32_t i = 0; i < n; i++)
                if (!stopped(l, t, i, &trace->threads[i]))
                        return false;
        learner_grow(l, t);
        classify(l, t, n);
        return true;
}
