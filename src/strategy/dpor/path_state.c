/*
 * The path in a stream: for checkpoints, and to hand it to another explorer.
 *
 * Causality is not stored: the next execution runs through the whole prefix, and path_learn() rebuilds it from that trace.
 * A path that is loaded has the invariants of path_check(): every index in it leads into its array, and its stacks fit.
 */
#include "base/stored.h"
#include "strategy/dpor/path.h"
#include "op/op.h"

void path_save(const struct path *p, uint32_t n, struct stream *out)
{
        const struct path_node *top = n < p->nodes.n ? &p->nodes.at[n - 1] : NULL;

        stream_put_u32(out, p->started);
        stream_put_u32(out, !top && p->given);
        stream_put_u32(out, top ? n - 1 : p->branch);
        vec_put(out, &p->nodes, n);
        vec_put(out, &p->sleepers, top ? top->sleep + top->n_sleep : p->sleepers.n);
        vec_put(out, &p->woken, top ? top->woken : p->woken.n);
        vec_put(out, &p->parts, top ? top->part + top->n_parts : p->parts.n);
        vec_put(out, &p->footprints, top ? top->fp_top : p->footprints.n);
        vec_put(out, &p->values, top ? top->value_top : p->values.n);
        vec_put(out, &p->accesses, top ? top->acc + top->n_acc : p->accesses.n);
}

static bool within(uint32_t first, uint32_t n, uint32_t all)
{
        return first <= all && n <= all - first;
}

bool path_accesses_valid(const struct wire_access *a, uint32_t n)
{
        for (uint32_t i = 0; i < n; i++)
                if (a[i].mode >= WIRE_MODES || a[i].op >= OP_COUNT || a[i].actor >= WIRE_MAX_THREADS)
                        return false;
        return true;
}

static bool node_valid(const struct path *p, const struct path_node *n)
{
        return n->actor < WIRE_MAX_THREADS && n->op < OP_COUNT && n->entry < WIRE_MAX_EVENTS && n->n_parts > 0 &&
               within(n->part, n->n_parts, p->parts.n) && within(n->decision, n->n_parts, WIRE_MAX_EVENTS) &&
               within(n->sleep, n->n_sleep, p->sleepers.n) && within(n->acc, n->n_acc, p->accesses.n) &&
               n->inherited <= n->n_sleep && n->fp_top <= p->footprints.n && n->value_top <= p->values.n &&
               n->woken <= p->woken.n;
}

/* The branches of a sleeper: each one says how many values it has. */
static bool branches_valid(const struct path *p, const struct path_sleeper *s)
{
        uint32_t k = 0;

        if (!within(s->branches, s->n_words, p->values.n))
                return false;
        while (k < s->n_words && p->values.at[s->branches + k] < s->n_words - k)
                k += p->values.at[s->branches + k] + 1;
        return k == s->n_words;
}

static bool valid(const struct path *p)
{
        if (p->nodes.n ? p->branch >= p->nodes.n : p->branch != 0)
                return false;
        if (p->given && p->nodes.n && p->branch + 1 != p->nodes.n)
                return false;
        for (uint32_t i = 0; i < p->nodes.n; i++)
                if (!node_valid(p, &p->nodes.at[i]))
                        return false;
        for (uint32_t i = 0; i < p->sleepers.n; i++) {
                const struct path_sleeper *s = &p->sleepers.at[i];
                if (s->actor >= WIRE_MAX_THREADS || !within(s->fp, s->n, p->footprints.n) || !branches_valid(p, s))
                        return false;
        }
        for (uint32_t i = 0; i < p->woken.n; i++)
                if (p->woken.at[i].node >= p->nodes.n || p->woken.at[i].sleeper >= p->sleepers.n)
                        return false;
        return path_accesses_valid(p->footprints.at, p->footprints.n) &&
               path_accesses_valid(p->accesses.at, p->accesses.n);
}

/* Do the parts, sleepers and accesses of node i come after those of the node before it, in each stack? */
static bool stacked(const struct path *p, uint32_t i)
{
        const struct path_node *n = &p->nodes.at[i], *before = i ? n - 1 : NULL;

        return !before ||
               (n->part == before->part + before->n_parts && n->decision == before->decision + before->n_parts &&
                n->sleep >= before->sleep + before->n_sleep && n->acc == before->acc + before->n_acc &&
                n->fp_top >= before->fp_top && n->value_top >= before->value_top && n->woken >= before->woken &&
                n->entry > before->entry);
}

/* Those that slept on arrival slept at the node before, in the same order, did not go from there, and have their footprints
 * below. */
static bool inherited_holds(const struct path *p, uint32_t i)
{
        const struct path_node *n = &p->nodes.at[i], *before = i ? n - 1 : NULL;
        uint32_t m = 0;

        if (!before)
                return n->inherited == 0;
        for (uint32_t k = 0; k < n->inherited; k++, m++) {
                const struct path_sleeper *s = &p->sleepers.at[n->sleep + k], *was = &p->sleepers.at[before->sleep];

                while (m < before->n_sleep && (was[m].actor != s->actor || was[m].fp != s->fp))
                        m++;
                if (m >= before->n_sleep || s->actor == before->actor || s->fp + s->n > before->fp_top)
                        return false;
        }
        return true;
}

bool path_check(const struct path *p)
{
        const struct path_node *top = p->nodes.n ? &p->nodes.at[p->nodes.n - 1] : NULL;

        if (!valid(p))
                return false;
        for (uint32_t i = 0; i < p->nodes.n; i++)
                if (!stacked(p, i) || !inherited_holds(p, i))
                        return false;
        if (top && (p->parts.n != top->part + top->n_parts || p->accesses.n != top->acc + top->n_acc))
                return false;
        return p->rebuild || !p->nodes.n || p->causality.trans.n == p->nodes.n ||
               p->causality.trans.n + 1 == p->nodes.n;
}

bool path_load(struct path *p, struct stream *in)
{
        path_reset(p);
        p->started = stream_get_max(in, 1);
        p->given = stream_get_max(in, 1);
        p->branch = stream_get_u32(in);
        if (!vec_get(in, &p->nodes, WIRE_MAX_EVENTS) || !vec_get(in, &p->sleepers, STORED_MAX) ||
            !vec_get(in, &p->woken, STORED_MAX) || !vec_get(in, &p->parts, STORED_MAX) ||
            !vec_get(in, &p->footprints, STORED_MAX) || !vec_get(in, &p->values, STORED_MAX) ||
            !vec_get(in, &p->accesses, STORED_MAX))
                return false;
        p->rebuild = p->nodes.n > 0;
        p->loaded = p->nodes.n;
        return !in->failed && path_check(p);
}
