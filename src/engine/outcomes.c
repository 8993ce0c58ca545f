/*
 * See outcomes.h.  An outcome belongs to a transition of a schedule.  It is the same in every run that makes the same decisions
 * up to there, so it is kept as long as the prefix of the next schedule is what the last run did.
 */
#include "engine/outcomes.h"

#include <errno.h>
#include <string.h>

#include "engine/conflict.h"
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

void outcomes_suit(struct wire_down *d, struct outcome_terms *last)
{
        struct outcome_terms now = {.points = d->points,
                                    .sites_seq = d->sites_seq,
                                    .n_shared = d->n_shared,
                                    .n_buffers = d->n_buffers,
                                    .n_loops = d->n_loops,
                                    .loop_depth = d->loop_depth,
                                    .wasted_seq = d->wasted_seq};

        if (memcmp(last, &now, sizeof now) != 0)
                d->txns.n = 0;
        *last = now;
}

/* The conflict has no cause.  Does no execution that begins so have one?  Only where a choice touches nothing: before every
 * access is a preemption point. */
static bool hopeless(const struct wire_down *d, const struct wire_txn *x, const struct wire_txn_read *reads,
                     const struct trace *t, const struct lines *lines)
{
        return lines && d->preempt == WIRE_PREEMPT_ALL &&
               !lines_conflict(lines, reads, x->count, t->events[t->n_events - 1].actor, d->txn.line_size);
}

int outcomes_learn(struct wire_down *d, const struct wire_up *up, const struct trace *t, const struct lines *lines)
{
        struct wire_txns *all = &d->txns;
        struct wire_txn x = up->txn.last;
        const struct wire_txn *last = all->n ? &all->at[all->n - 1] : NULL;
        int possible;

        x.first = last ? last->first + last->count : 0;
        if (x.transition >= t->n_transitions || (last && x.transition <= last->transition) || all->n == WIRE_MAX_TXNS ||
            x.count > WIRE_MAX_TXN_READS || x.first + x.count > WIRE_MAX_TXN_ALL)
                return -EINVAL;
        memcpy(&all->reads[x.first], up->txn.reads, x.count * sizeof *up->txn.reads);
        if (up->txn.conflict) {
                possible = conflict_possible(t, &x, &all->reads[x.first]);
                if (possible < 0)
                        return possible;
                x.status = possible ? x.status : WIRE_TXN_STARTED;
                x.hopeless = !possible && hopeless(d, &x, &all->reads[x.first], t, lines);
        }
        all->at[all->n++] = x;
        return 0;
}
