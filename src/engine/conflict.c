/*
 * See conflict.h.
 *
 * Whether the abort is possible must be the same for all executions of a class.  So it is asked whether any of them has a cause for
 * each abort of this kind, after the transition before it (`begin`).  Invariant: a class is possible if the causes can be chosen such
 * that no cycle arises from happens-before and an edge from each `begin` to its cause.  Such a cycle leads from a cause to a `begin` that it
 * happens before, so a graph of the aborts is enough.  An edge to a later access orders less than one to an access that happens before
 * it: only the last ones are tried.
 */
#include "engine/conflict.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/deadline.h"
#include "hb/causality.h"
#include "op/op.h"

#define MAX_ABORTS 64u /* the last ones; a bit for each */
#define MAX_STEPS  1000000u

struct abort {
        uint32_t begin;    /* the transition before it */
        uint32_t first, n; /* its causes */
        uint64_t before;   /* scratch: aborts whose `begin` the chosen cause happens before */
};

struct conflicts {
        const struct trace *t;
        struct causality c;
        uint32_t actor;  /* scratch: the thread whose causes are collected */
        uint32_t *first; /* entries of transitions */
        VEC(uint32_t) causes;
        VEC(struct abort) aborts;
        uint32_t steps;
};

/* Did it abort by a conflict?  An entry for each line follows. */
static bool is_conflict(const struct trace *t, uint32_t entry)
{
        const struct wire_event *e = &t->events[entry];

        return e->op == OP_TXN_TRY && entry + 1 < t->n_events && e[1].op == OP_TXN_LINE;
}

/* What the store buffer of the thread does is its own doing, and an abort by a conflict has accessed nothing. */
static bool add_cause(void *arg, uint32_t i, uint32_t actor)
{
        struct conflicts *s = arg;

        (void)actor;
        if (is_conflict(s->t, s->first[i]) || trace_owner(s->t, s->t->events[s->first[i]].actor) == s->actor)
                return true;
        if (!vec_reserve(&s->causes, 1))
                return false;
        *vec_push(&s->causes) = i;
        return true;
}

static bool no_race(void *arg, uint32_t i, uint32_t actor, const uint32_t *past)
{
        (void)arg;
        (void)i;
        (void)actor;
        (void)past;
        return true;
}

static bool begin_abort(struct conflicts *s, uint32_t actor)
{
        struct abort *a;

        if (!vec_reserve(&s->aborts, 1))
                return false;
        a = vec_push(&s->aborts);
        s->actor = actor;
        *a = (struct abort){.begin = s->c.actors[actor].last, .first = s->causes.n};
        return true;
}

/* Keeps the causes that do not happen before another one. */
static void end_abort(struct conflicts *s)
{
        struct abort *a = &s->aborts.at[s->aborts.n - 1];
        uint32_t *at = s->causes.at ? &s->causes.at[a->first] : NULL, n = s->causes.n - a->first, kept = 0;

        for (uint32_t i = 0; i < n; i++) {
                bool last = true;
                for (uint32_t k = 0; k < n && last && !late_soon(); k++)
                        last = at[k] == at[i] ? k >= i : !causality_before(&s->c, at[i], causality_clock(&s->c, at[k]));
                if (last)
                        s->causes.at[a->first + a->n++] = at[i];
                kept = a->n;
        }
        s->causes.n = a->first + kept;
}

/* An abort that is in the trace. */
static bool collect(struct conflicts *s, uint32_t entry, uint32_t n)
{
        const struct wire_event *e = &s->t->events[entry];

        if (!begin_abort(s, e->actor))
                return false;
        for (uint32_t i = 1; i < n; i++) {
                struct wire_access a = op_access(&e[i]);
                if (e[i].op == OP_TXN_LINE && !causality_conflicts(&s->c, &a, add_cause, s))
                        return false;
        }
        end_abort(s);
        return true;
}

/* All transitions before the one that begins at entry `end`. */
static bool push_all(struct conflicts *s, uint32_t end)
{
        const struct trace *t = s->t;
        uint32_t i = 0, n, k = 0;

        while (i < end && !(t->events[i].flags & WIRE_EV_SCHED))
                i++;
        if (!causality_prologue(&s->c, t->events, i))
                return false;
        for (; i < end && !late(); i += n) {
                n = trace_transition_length(t, i);
                s->first[k++] = i;
                if (is_conflict(t, i) && t->events[i].value != WIRE_TXN_STARTED && !collect(s, i, n))
                        return false;
                if (!causality_push(&s->c, &t->events[i], n, no_race, NULL))
                        return false;
        }
        return true;
}

/* Does a path of chosen edges lead from the causes `from` to abort i? */
static bool reaches(const struct conflicts *s, uint64_t from, uint32_t i)
{
        uint64_t seen = 0, todo = from;

        while (todo) {
                uint32_t k = (uint32_t)__builtin_ctzll(todo);
                seen |= UINT64_C(1) << k;
                todo |= s->aborts.at[k].before;
                todo &= ~seen;
        }
        return seen >> i & 1;
}

/* Can causes be chosen for the aborts from i on? */
static bool choose(struct conflicts *s, uint32_t i)
{
        struct abort *a = &s->aborts.at[i];

        if (i == s->aborts.n)
                return true;
        for (uint32_t k = 0; k < a->n; k++) {
                if (++s->steps > MAX_STEPS || late_soon())
                        return true;
                a->before = 0;
                for (uint32_t j = 0; j < s->aborts.n; j++)
                        if (causality_before(&s->c, s->causes.at[a->first + k],
                                             causality_clock(&s->c, s->aborts.at[j].begin)))
                                a->before |= UINT64_C(1) << j;
                if (!reaches(s, a->before, i) && choose(s, i + 1))
                        return true;
        }
        a->before = 0;
        return false;
}

/* Older aborts than a word has bits for are not judged again. */
static void forget_oldest(struct conflicts *s)
{
        uint32_t n = s->aborts.n > MAX_ABORTS ? s->aborts.n - MAX_ABORTS : 0;

        memmove(s->aborts.at, s->aborts.at + n, (s->aborts.n - n) * sizeof *s->aborts.at);
        s->aborts.n -= n;
}

/* The abort that is asked about. */
static bool collect_last(struct conflicts *s, const struct wire_txn *x, const struct wire_txn_read *reads,
                         uint32_t actor)
{
        if (!begin_abort(s, actor))
                return false;
        for (uint32_t i = 0; i < x->count; i++) {
                struct wire_access a = {.obj = reads[i].obj,
                                        .value = reads[i].value,
                                        .size = reads[i].size,
                                        .actor = (uint16_t)actor,
                                        .mode = (uint8_t)reads[i].mode,
                                        .op = OP_TXN_LINE};
                if (!causality_conflicts(&s->c, &a, add_cause, s))
                        return false;
        }
        end_abort(s);
        return true;
}

int conflict_possible(const struct trace *t, const struct wire_txn *x, const struct wire_txn_read *reads)
{
        struct conflicts s = {.t = t, .first = malloc((t->n_transitions + 1) * sizeof *s.first)};
        uint32_t begin = 0, n = 0;
        bool ok, possible = false;

        while (begin < t->n_events && n <= x->transition)
                n += t->events[begin++].flags & WIRE_EV_SCHED ? 1 : 0;
        begin--;
        if (!s.first || !causality_init(&s.c)) {
                free(s.first);
                return -ENOMEM;
        }
        ok = push_all(&s, begin) && collect_last(&s, x, reads, t->events[begin].actor);
        if (ok) {
                forget_oldest(&s);
                possible = choose(&s, 0);
        }
        vec_fini(&s.aborts);
        vec_fini(&s.causes);
        causality_fini(&s.c);
        free(s.first);
        return ok ? possible : -ENOMEM;
}
