/*
 * See outcomes.h.  An outcome belongs to a transition of a schedule.  It is the same in every run that makes the same decisions
 * up to there, so it is kept as long as the prefix of the next schedule is what the last run did.
 */
#include "engine/outcomes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/deadline.h"
#include "hb/causality.h"
#include "op/op.h"

/* How many transitions of the last run does the next one repeat? */
static uint32_t common(const struct wire_up *up, const struct schedule *next)
{
        uint32_t n = 0, events = up->n_events < WIRE_MAX_EVENTS ? up->n_events : WIRE_MAX_EVENTS;

        for (uint32_t i = 0; i < events && n < next->n_prefix; i++) {
                const struct wire_event *e = &up->events[i];
                const struct wire_decision *d = &next->prefix[n];

                if (!(e->flags & WIRE_EV_SCHED))
                        continue;
                if (e->actor != d->actor || (e->choice != d->choice && op_has(e->op, OPF_CHOICES)))
                        break;
                n++;
        }
        return n;
}

void outcomes_keep(struct wire_down *d, const struct wire_up *up, const struct schedule *next, bool segments)
{
        uint32_t n;

        if (!d->txns.n)
                return;
        n = segments ? 0 : common(up, next);
        while (d->txns.n && d->txns.at[d->txns.n - 1].transition >= n)
                d->txns.n--;
}

struct conflict {
        const struct trace *t;
        uint32_t actor;
        const uint32_t *first; /* entries of transitions */
        bool found;
};

/* What the store buffer of the thread does is its own doing, and an abort by a conflict has accessed nothing. */
static bool by_another(void *arg, uint32_t i, uint32_t actor)
{
        struct conflict *c = arg;
        const struct wire_event *e = &c->t->events[c->first[i]];
        bool aborted = e->op == OP_TXN_TRY && c->first[i] + 1 < c->t->n_events && e[1].op == OP_TXN_LINE;

        (void)actor;
        c->found |= !aborted && trace_owner(c->t, e->actor) != c->actor;
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

/* All transitions before the one that begins at entry `end`. */
static bool push_all(struct causality *c, const struct trace *t, uint32_t end, uint32_t *first)
{
        uint32_t i = 0, n, k = 0;

        while (i < end && !(t->events[i].flags & WIRE_EV_SCHED))
                i++;
        if (!causality_prologue(c, t->events, i))
                return false;
        for (; i < end && !late(); i += n) {
                n = trace_transition_length(t, i);
                first[k++] = i;
                if (!causality_push(c, &t->events[i], n, no_race, NULL))
                        return false;
        }
        return true;
}

/* Did another thread access what the transaction touches, in a way that conflicts, and not before what its thread did last? */
static int conflicts(const struct trace *t, const struct wire_txn *x, const struct wire_txn_read *reads)
{
        struct conflict found = {.t = t};
        uint32_t begin = 0, n = 0, *first = malloc((t->n_transitions + 1) * sizeof *first);
        struct causality c;
        bool ok;

        while (begin < t->n_events && n <= x->transition)
                n += t->events[begin++].flags & WIRE_EV_SCHED ? 1 : 0;
        begin--;
        if (!first || !causality_init(&c)) {
                free(first);
                return -ENOMEM;
        }
        found.actor = t->events[begin].actor;
        found.first = first;
        ok = push_all(&c, t, begin, first);
        for (uint32_t i = 0; ok && !found.found && i < x->count; i++) {
                struct wire_access a = {.obj = reads[i].obj,
                                        .value = reads[i].value,
                                        .size = reads[i].size,
                                        .actor = (uint16_t)found.actor,
                                        .mode = (uint8_t)reads[i].mode,
                                        .op = OP_TXN_LINE};
                ok = causality_conflicts(&c, &a, by_another, &found);
        }
        causality_fini(&c);
        free(first);
        return ok ? found.found : -ENOMEM;
}

int outcomes_learn(struct wire_down *d, const struct wire_up *up, const struct trace *t)
{
        struct wire_txns *all = &d->txns;
        struct wire_txn x = up->txn.last;
        const struct wire_txn *last = all->n ? &all->at[all->n - 1] : NULL;
        int possible;

        x.first = last ? last->first + last->count : 0;
        if (x.transition >= t->n_transitions || (last && x.transition <= last->transition))
                return -EINVAL;
        if (all->n == WIRE_MAX_TXNS || x.count > WIRE_MAX_TXN_READS || x.first + x.count > WIRE_MAX_TXN_ALL)
                return -ENOSPC;
        memcpy(&all->reads[x.first], up->txn.reads, x.count * sizeof *up->txn.reads);
        if (up->txn.conflict) {
                possible = conflicts(t, &x, &all->reads[x.first]);
                if (possible < 0)
                        return possible;
                x.status = possible ? x.status : WIRE_TXN_STARTED;
        }
        all->at[all->n++] = x;
        return 0;
}
