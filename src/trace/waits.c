/*
 * Which thread waits for which, read from the thread states at the end of a trace and from the object states along it.
 *
 * Every thread waits for at most one other, so the wait-for graph is a partial function and a cycle is found by
 * following it from each thread.  The state of an object at some moment is the `value` of the next entry that touches
 * it: entries record the state before them, and nothing changes it in between.
 */
#include "trace/waits.h"

#include "op/op.h"

uint32_t waits_thread_of(const struct trace *t, uint64_t obj)
{
        uint64_t first = WIRE_OBJ_THREAD(0);

        if (obj < first || (obj - first) / 8 >= t->n_threads)
                return WIRE_NO_ACTOR;
        return (uint32_t)((obj - first) / 8);
}

uint32_t waits_for(const struct trace *t, uint32_t thread)
{
        const struct wire_thread *th = &t->threads[thread];

        if (th->state != WIRE_T_BLOCKED)
                return WIRE_NO_ACTOR;
        if (th->op == OP_JOIN)
                return waits_thread_of(t, th->obj);
        return th->holder < t->n_threads ? th->holder : WIRE_NO_ACTOR;
}

uint32_t waits_cycle(const struct trace *t, uint32_t *cycle)
{
        /* A walk of n_threads steps from any thread ends, or is inside a cycle; its lowest member starts the answer. */
        for (uint32_t i = 0; i < t->n_threads; i++) {
                uint32_t n = 0, at = i;
                do {
                        cycle[n++] = at;
                        at = waits_for(t, at);
                } while (at != WIRE_NO_ACTOR && at != i && n < t->n_threads);
                if (at == i)
                        return n;
        }
        return 0;
}

uint32_t waits_culprit(const struct trace *t)
{
        uint32_t cycle[WIRE_MAX_THREADS];
        uint32_t blocked = WIRE_NO_ACTOR;

        if (waits_cycle(t, cycle))
                return cycle[0];
        for (uint32_t i = 0; i < t->n_threads; i++) {
                uint32_t state = t->threads[i].state;
                if (state != WIRE_T_BLOCKED && state != WIRE_T_SPIN)
                        continue;
                if (waits_for(t, i) == WIRE_NO_ACTOR)
                        return i;
                if (blocked == WIRE_NO_ACTOR)
                        blocked = i;
        }
        return blocked;
}

static bool runs_between(const struct trace *t, uint32_t actor, uint32_t from, uint32_t to)
{
        for (uint32_t i = from; i < to; i++)
                if (t->events[i].actor == actor && trace_is_turn(&t->events[i]))
                        return true;
        return false;
}

static bool woken_between(const struct trace *t, uint32_t actor, uint32_t from, uint32_t to)
{
        for (uint32_t i = from; i < to; i++)
                if (t->events[i].op == OP_WAKE && t->events[i].obj == WIRE_OBJ_THREAD(actor))
                        return true;
        return false;
}

/* The state of obj when entry k began; false: nothing at or after k and before n tells. */
static bool state_at(const struct trace *t, uint64_t obj, uint32_t kind, uint32_t k, uint32_t n, uint64_t *state)
{
        for (uint32_t i = k; i < n; i++) {
                const struct wire_event *e = &t->events[i];
                if (e->obj == obj && op_object(e->op) == kind) {
                        *state = e->value;
                        return true;
                }
        }
        return false;
}

/* The condition variable that a thread about to relock waits on: that of its last wait before k. */
static uint64_t cond_of(const struct trace *t, uint32_t actor, uint32_t k)
{
        while (k-- > 0)
                if (t->events[k].actor == actor && t->events[k].op == OP_COND_WAIT)
                        return t->events[k].obj;
        return 0;
}

static void wait_for_state(const struct trace *t, uint32_t actor, uint32_t k, uint32_t next, struct wait *w)
{
        uint64_t state;

        if (state_at(t, w->obj, op_object(w->op), k, next < t->n_events ? next + 1 : next, &state)) {
                w->could_run = op_enabled(w->op, state, actor);
                uint32_t owner = op_owner(op_object(w->op), state);
                if (owner > 0 && owner <= t->n_threads)
                        w->holder = owner - 1;
        } else {
                /* Untouched until the end: it was as it is there. */
                w->could_run = t->threads[actor].state == WIRE_T_READY;
                w->holder = t->threads[actor].holder;
        }
}

struct wait waits_at_switch(const struct trace *t, uint32_t actor, uint32_t k, uint32_t next)
{
        const struct wire_thread *th = &t->threads[actor];
        bool more = next < t->n_events;
        struct wait w = {
                .op = more ? t->events[next].op : th->op,
                .obj = more ? t->events[next].obj : th->obj,
                .holder = WIRE_NO_ACTOR,
        };

        if (!more && th->state != WIRE_T_READY && th->state != WIRE_T_BLOCKED && th->state != WIRE_T_BUDGET)
                return w;
        if (w.op == OP_JOIN) {
                w.holder = waits_thread_of(t, w.obj);
                w.could_run = (more || th->state == WIRE_T_READY) &&
                              (w.holder == WIRE_NO_ACTOR || !runs_between(t, w.holder, k, more ? next : t->n_events));
        } else if (w.op == OP_COND_WAIT && !more && th->state == WIRE_T_BLOCKED) {
                w.signal = true;
        } else if (w.op == OP_MUTEX_RELOCK &&
                   (more ? woken_between(t, actor, k, next)
                         : th->state == WIRE_T_BLOCKED &&
                                    (th->holder == WIRE_NO_ACTOR || woken_between(t, actor, k, t->n_events)))) {
                w.signal = true;
                w.obj = cond_of(t, actor, k);
        } else if (op_waits_for_wake(w.op)) {
                w.could_run = more ? !woken_between(t, actor, k, next) : th->state == WIRE_T_READY;
        } else if (op_blocks(w.op)) {
                wait_for_state(t, actor, k, next, &w);
        } else {
                w.could_run = w.op != OP_SPIN && (more || th->state != WIRE_T_BLOCKED); /* blocked: it has begun */
        }
        return w;
}
