/*
 * The stack of dpor in a stream.
 *
 * Causality is not stored: the next execution runs through the whole prefix, and learn() rebuilds it from that trace.
 * Invariant of load: every index in what was read leads into its array, and every actor has its bit.
 */
#include "explore/dpor_state.h"

#include <errno.h>
#include <string.h>

#include "explore/dpor.h"
#include "op/op.h"

#define MAX_STORED (1u << 28) /* elements of any array */

#define get_vec(in, v, limit)                                                     \
        do {                                                                      \
                uint32_t n_ = stream_get_count(in, limit, sizeof *(v)->at);       \
                (v)->n = 0;                                                       \
                if (!vec_reserve(v, n_ + 1))                                      \
                        return -ENOMEM;                                           \
                stream_get(in, (v)->at, n_ * sizeof *(v)->at);                    \
                (v)->n = n_;                                                      \
        } while (0)

/* The first n elements of an array. */
#define put_vec(out, v, n) stream_put_array(out, (v)->at, n, sizeof *(v)->at)

void dpor_save_upto(const struct dpor *d, uint32_t n, struct stream *out)
{
        const struct node *top = n < d->nodes.n ? &d->nodes.at[n - 1] : NULL;

        stream_put_u32(out, d->started);
        stream_put_u32(out, !top && d->given);
        stream_put_u32(out, d->words);
        stream_put_u32(out, top ? n - 1 : d->branch);
        put_vec(out, &d->nodes, n);
        put_vec(out, &d->backtrack, n * d->words);
        put_vec(out, &d->sleepers, top ? top->sleep + top->n_sleep : d->sleepers.n);
        put_vec(out, &d->woken, top ? top->woken : d->woken.n);
        put_vec(out, &d->footprints, top ? top->fp_top : d->footprints.n);
        put_vec(out, &d->accesses, top ? top->acc + top->n_acc : d->accesses.n);
}

void dpor_save(const struct strategy *base, struct stream *out)
{
        const struct dpor *d = (const struct dpor *)base;

        dpor_save_upto(d, d->nodes.n, out);
}

static bool within(uint32_t first, uint32_t n, uint32_t all)
{
        return first <= all && n <= all - first;
}

bool dpor_accesses_valid(const struct wire_access *a, uint32_t n)
{
        for (uint32_t i = 0; i < n; i++)
                if (a[i].mode > WIRE_MODE_COMMUTE || a[i].op >= OP_COUNT || a[i].actor >= WIRE_MAX_THREADS)
                        return false;
        return true;
}

static bool node_valid(const struct dpor *d, const struct node *n)
{
        return n->actor < d->words * 64 && n->op < OP_COUNT && n->entry < WIRE_MAX_EVENTS &&
               within(n->sleep, n->n_sleep, d->sleepers.n) && within(n->acc, n->n_acc, d->accesses.n) &&
               n->fp_top <= d->footprints.n && n->woken <= d->woken.n;
}

static bool valid(const struct dpor *d)
{
        if ((uint64_t)d->nodes.n * d->words != d->backtrack.n || (d->nodes.n && d->branch >= d->nodes.n) ||
            (d->given && d->nodes.n && d->branch + 1 != d->nodes.n))
                return false;
        for (uint32_t i = 0; i < d->nodes.n; i++)
                if (!node_valid(d, &d->nodes.at[i]))
                        return false;
        for (uint32_t i = 0; i < d->sleepers.n; i++) {
                const struct sleeper *s = &d->sleepers.at[i];
                if (s->actor >= d->words * 64 || !within(s->fp, s->n, d->footprints.n))
                        return false;
        }
        for (uint32_t i = 0; i < d->woken.n; i++)
                if (d->woken.at[i].node >= d->nodes.n || d->woken.at[i].sleeper >= d->sleepers.n)
                        return false;
        return dpor_accesses_valid(d->footprints.at, d->footprints.n) && dpor_accesses_valid(d->accesses.at, d->accesses.n);
}

static int read_stack(struct dpor *d, struct stream *in)
{
        uint32_t words;

        d->started = stream_get_max(in, 1);
        d->given = stream_get_max(in, 1);
        words = stream_get_max(in, WIRE_MAX_THREADS / 64);
        d->branch = stream_get_u32(in);
        get_vec(in, &d->nodes, WIRE_MAX_EVENTS);
        get_vec(in, &d->backtrack, MAX_STORED);
        get_vec(in, &d->sleepers, MAX_STORED);
        get_vec(in, &d->woken, MAX_STORED);
        get_vec(in, &d->footprints, MAX_STORED);
        get_vec(in, &d->accesses, MAX_STORED);
        free(d->initials);
        d->initials = calloc(words + 1, sizeof *d->initials);
        d->words = words;
        if (!d->initials)
                return -ENOMEM;
        return in->failed || !valid(d) ? -EINVAL : 0;
}

int dpor_load(struct strategy *base, struct stream *in)
{
        struct dpor *d = (struct dpor *)base;
        int r;

        base->ops->reset(base);
        r = read_stack(d, in);
        if (r)
                base->ops->reset(base);
        d->rebuild = d->nodes.n > 0;
        return r;
}
