/* See ahead.h. */
#include "engine/ahead.h"

#include <string.h>

#define SAMPLE 128u  /* executions by which it is judged whether it is worth it */
#define PAUSE  4096u /* messages, where it was not */
#define LOOKED 4u    /* schedules that a strategy is asked for, for one message: those above are held already */

void ahead_drop(struct ahead *a)
{
        a->held = 0;
}

static struct ahead_terms terms_now(const struct target *t, const struct schedule *m)
{
        const struct wire_down *d = t->down;

        return (struct ahead_terms){
                .flags = m->flags & ~WIRE_SETTLED,
                .tail = m->tail,
                .depth = d->depth,
                .thread_depth = d->thread_depth,
                .points = d->points,
                .sites_seq = d->sites_seq,
                .cycles = d->cycles,
                .starts = (uint32_t)t->starts,
                .n_shared = d->n_shared,
                .n_names = d->n_names,
                .n_buffers = d->n_buffers,
                .n_loops = d->n_loops,
                .loop_depth = d->loop_depth,
                .fair_limit = d->fair_limit,
                .timeout_limit = d->timeout_limit,
                .wasted_seq = d->wasted_seq,
        };
}

static bool is_same(const struct ahead_terms *a, const struct ahead_terms *b)
{
        return memcmp(a, b, sizeof *a) == 0;
}

/* Is it a schedule such as are run ahead, with an answer that has nothing else to tell? */
static bool suits(const struct target *t, const struct schedule *m)
{
        const struct wire_down *d = t->down;
        uint32_t known = WIRE_CUT_LOOPS | WIRE_AWAITS | WIRE_FAIR | WIRE_SETTLED;

        return t->pid != 0 && !t->fresh && t->isolate == WIRE_ISOLATE_SNAPSHOT && m->n_prefix > 0 && m->n_last == 1 &&
               !(m->flags & ~known) && !m->points && !d->txns.n && !d->depth && d->cycles != WIRE_CYCLES_ALL &&
               !t->config->check_restore && (!d->share_from || m->n_prefix < d->share_from) &&
               m->n_prefix <= WIRE_AHEAD_COMMON;
}

static bool equals(const struct wire_ahead *w, const struct schedule *m)
{
        if (w->n_prefix != m->n_prefix || w->n_hints != m->n_hints || w->n_last != m->n_last ||
            w->n_sleep != m->n_sleep || (w->n_sleep && w->n_footprint != m->n_footprint) ||
            memcmp(w->decisions, &m->prefix[w->common], (w->n_hints + 1) * sizeof *w->decisions) != 0)
                return false;
        for (uint32_t i = 0; i < w->n_sleep; i++)
                if (w->sleep[i].actor != m->sleep[i].actor || w->sleep[i].first != m->sleep[i].first ||
                    w->sleep[i].count != m->sleep[i].count)
                        return false;
        return !w->n_sleep || memcmp(w->footprint, m->footprint, w->n_footprint * sizeof *w->footprint) == 0;
}

/* The place with the schedule that leaves the path after so many decisions; WIRE_AHEAD: there is none. */
static uint32_t place_of(const struct ahead *a, const struct wire_down *d, uint32_t common)
{
        for (uint64_t b = a->held; b; b &= b - 1)
                if (d->ahead[__builtin_ctzll(b)].common == common)
                        return (uint32_t)__builtin_ctzll(b);
        return WIRE_AHEAD;
}

/* Those that began with decisions that are no longer those of the path. */
static void drop_changed(struct ahead *a, const struct target *t, const struct schedule *m)
{
        for (uint64_t b = a->held; b; b &= b - 1)
                if (t->down->ahead[__builtin_ctzll(b)].common > m->kept)
                        a->held &= ~(b & -b);
}

const struct wire_ahead_answer *ahead_take(struct ahead *a, struct target *t, const struct schedule *m)
{
        const struct wire_up *up = t->up;
        struct ahead_terms terms;
        uint32_t k;

        if (!a->held || m->author != a->author)
                return NULL;
        drop_changed(a, t, m);
        if (!a->held || !suits(t, m))
                return NULL;
        k = place_of(a, t->down, m->n_prefix - 1);
        if (k == WIRE_AHEAD)
                return NULL;
        a->held &= ~(UINT64_C(1) << k);
        terms = terms_now(t, m);
        if (!is_same(&terms, &a->terms)) {
                ahead_drop(a);
                return NULL;
        }
        if (up->ahead[k].told != a->message[k] || !equals(&t->down->ahead[k], m) || printed_any(&t->printed) ||
            up->timeouts || up->timeout_row || up->used_up || up->endless || up->txn.blocked || up->txn.full)
                return NULL;
        a->used++;
        a->total++;
        return &up->ahead[k];
}

/* A place for one that leaves the path after `common` decisions; WIRE_AHEAD: those that are there are nearer. */
static uint32_t make_room(struct ahead *a, const struct wire_down *d, uint32_t common)
{
        uint32_t upper = WIRE_AHEAD;

        if (~a->held)
                return (uint32_t)__builtin_ctzll(~a->held);
        for (uint32_t k = 0; k < WIRE_AHEAD; k++)
                if (d->ahead[k].common < common && (upper == WIRE_AHEAD || d->ahead[k].common < d->ahead[upper].common))
                        upper = k;
        if (upper < WIRE_AHEAD)
                a->held &= ~(UINT64_C(1) << upper);
        return upper;
}

/* Were at least half of the last ones asked for?  Some of them still will be. */
static bool is_worth_it(struct ahead *a)
{
        uint32_t waiting = (uint32_t)__builtin_popcountll(a->held);

        if (a->pause) {
                a->pause--;
                return false;
        }
        if (a->run < SAMPLE)
                return true;
        if ((a->used + waiting) * 2 < a->run)
                a->pause = PAUSE;
        a->run = a->used = 0;
        return !a->pause;
}

bool ahead_offer(struct ahead *a, struct target *t, const struct schedule *m, const struct strategy *strategy)
{
        struct wire_down *d = t->down;
        struct ahead_terms terms;
        uint32_t common;

        if (a->off || !strategy->ops->ahead || !suits(t, m) || !is_worth_it(a))
                return false;
        terms = terms_now(t, m);
        if (m->author != a->author || !is_same(&terms, &a->terms))
                ahead_drop(a);
        a->terms = terms;
        a->author = m->author;
        common = m->n_prefix - 1;
        for (uint32_t i = 0; i < LOOKED && d->n_ahead < WIRE_AHEAD_BATCH; i++) {
                uint32_t k;

                common = strategy->ops->ahead(strategy, common, NULL);
                if (common == STRATEGY_NO_AHEAD)
                        break;
                if (place_of(a, d, common) < WIRE_AHEAD)
                        continue;
                k = make_room(a, d, common);
                if (k == WIRE_AHEAD || strategy->ops->ahead(strategy, common + 1, &d->ahead[k]) != common)
                        break;
                a->held |= UINT64_C(1) << k;
                a->message[k] = d->seq + 1;
                a->run++;
                d->ahead_list[d->n_ahead++] = k;
        }
        return d->n_ahead > 0;
}
