/* Common nodes of a path, in the formats of share.h: what strategies with sleep sets have in common. */
#include "strategy/dpor/path_share.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bitset.h"
#include "hb/footprint.h"
#include "hb/initials.h"
#include "op/op.h"
#include "strategy/share.h"

/* What the transition of node i was: the next branch of its actor, its own choices, what it touched, and whether it had to wait. */
static void put_transition(struct path *p, uint32_t i, struct stream *out)
{
        const struct path_node *n = &p->nodes.at[i];
        const uint32_t *v;
        uint32_t k;

        v = path_next_values(p, i, &k);
        out->failed |= !v;
        stream_put_array(out, v, v ? k : 0, sizeof *v);
        v = path_values(p, i, &k);
        out->failed |= !v;
        stream_put_array(out, v, v ? k : 0, sizeof *v);
        stream_put_array(out, n->n_acc ? &p->accesses.at[n->acc] : NULL, n->n_acc, sizeof *p->accesses.at);
        stream_put_u32(out, n->wasted != 0);
}

void path_put_common(struct path *p, uint32_t i, struct stream *out)
{
        stream_put_u32(out, p->nodes.at[i].actor);
        put_transition(p, i, out);
}

void path_put_first(struct path *p, uint32_t i, struct stream *out)
{
        put_transition(p, i, out);
}

void path_put_race(const struct path *p, uint32_t i, const uint64_t *initials, const uint64_t *without, uint32_t words,
                   uint32_t add, struct stream *out)
{
        uint64_t bits[SHARE_WORDS] = {0}, weak[SHARE_WORDS] = {0};

        memcpy(bits, initials, words * sizeof *bits);
        for (uint32_t r = 0; r < p->causality.stride && r < WIRE_MAX_THREADS; r++)
                if (causality_weak(&p->causality, i, r) != CAUSALITY_NONE)
                        bitset_add(weak, r);
        for (uint32_t k = 0; k < words && without; k++)
                weak[k] &= ~without[k];
        stream_put_u32(out, i);
        stream_put(out, bits, sizeof bits);
        stream_put(out, weak, sizeof weak);
        stream_put_u32(out, add);
}

void path_put_open(uint32_t i, uint32_t actor, struct stream *out)
{
        uint64_t bits[SHARE_WORDS] = {0}, weak[SHARE_WORDS] = {0};

        bitset_add(bits, actor);
        stream_put_u32(out, i);
        stream_put(out, bits, sizeof bits);
        stream_put(out, weak, sizeof weak);
        stream_put_u32(out, actor);
}

static inline bool conflicting(void *arg, const struct wire_access *a, const struct wire_access *b)
{
        (void)arg;
        return op_overlap(a, b) && !op_commute(a, b);
}

bool path_conflict(const struct wire_access *a, uint32_t n, const struct wire_access *b, uint32_t m)
{
        return footprint_pairs(a, n, b, m, conflicting, NULL);
}

/* The next transition of an actor from node i on; what it touches there is a guess. */
static const struct path_node *next_of(const struct path *p, uint32_t i, uint32_t actor)
{
        const struct path_node *n = &p->nodes.at[i];
        uint32_t t;

        if (n->actor == actor)
                return n;
        t = actor < p->causality.stride ? causality_after(&p->causality, actor, i) : CAUSALITY_NONE;
        return t < p->nodes.n ? &p->nodes.at[t] : NULL;
}

static bool conflicts_with_branch(const struct path *p, uint32_t i, uint32_t actor, const uint64_t *branches)
{
        const struct path_node *a = next_of(p, i, actor), *b;

        for (uint32_t k = 0; a && k < SHARE_WORDS; k++)
                for (uint64_t bits = branches[k]; bits; bits &= bits - 1) {
                        b = next_of(p, i, k * 64 + (uint32_t)__builtin_ctzll(bits));
                        if (b && path_conflict(&p->accesses.at[a->acc], a->n_acc, &p->accesses.at[b->acc], b->n_acc))
                                return true;
                }
        return false;
}

bool path_seeds(const struct path *p, const struct trace *t, uint32_t i, uint64_t branches[SHARE_WORDS])
{
        const struct path_node *n = &p->nodes.at[i];
        bool more = true;

        if (!t->enabled || n->decision >= t->n_transitions || n->entry >= t->n_events ||
            t->events[n->entry].actor != n->actor)
                return false;
        while (more) {
                more = false;
                for (uint32_t k = 0; k < t->enabled_words; k++)
                        for (uint64_t b = t->enabled[(size_t)n->decision * t->enabled_words + k]; b; b &= b - 1) {
                                uint32_t actor = k * 64 + (uint32_t)__builtin_ctzll(b);

                                if (bitset_has(branches, actor) || path_sleeps(p, n, actor) ||
                                    !conflicts_with_branch(p, i, actor, branches))
                                        continue;
                                bitset_add(branches, actor);
                                more = true;
                        }
        }
        return true;
}

uint32_t path_asleep(const struct path *p, uint32_t i)
{
        return i < p->nodes.n ? p->nodes.at[i].inherited : 0;
}

static void skip_sleepers(struct stream *in, uint32_t count)
{
        uint32_t n;

        for (uint32_t i = 0; i < count && !in->failed; i++) {
                stream_get_u32(in);
                free(stream_get_array(in, WIRE_MAX_EVENTS, sizeof(uint32_t), &n));
                free(stream_get_array(in, WIRE_MAX_FOOTPRINT, sizeof(struct wire_access), &n));
                stream_get_u32(in);
        }
}

/* Puts those to sleep at the top node whose branches were handed out before. */
static bool get_sleepers(struct path *p, struct path_node *n, struct stream *in, uint32_t count)
{
        for (uint32_t i = 0; i < count; i++) {
                uint32_t actor = stream_get_max(in, WIRE_MAX_THREADS - 1), n_values, n_acc;
                uint32_t *values = stream_get_array(in, WIRE_MAX_EVENTS, sizeof *values, &n_values);
                struct wire_access *acc = stream_get_array(in, WIRE_MAX_FOOTPRINT, sizeof *acc, &n_acc);
                uint32_t wasted = stream_get_max(in, 1);
                bool ok = !in->failed && path_accesses_valid(acc, n_acc) &&
                          path_put_to_sleep(p, n, actor, values, n_values, acc, n_acc);

                free(values);
                free(acc);
                if (!ok)
                        return false;
                p->sleepers.at[n->sleep + n->n_sleep - 1].stale = (uint8_t)wasted;
        }
        return true;
}

/* The transition of node i is not taken yet; it becomes the top. */
static void cut_at(struct path *p, uint32_t i)
{
        struct path_node *n = &p->nodes.at[i];

        p->nodes.n = i + 1;
        p->sleepers.n = n->sleep + n->n_sleep;
        p->woken.n = n->woken;
        p->footprints.n = n->fp_top;
        p->values.n = n->value_top;
        p->accesses.n = n->acc;
        n->n_acc = 0;
        n->more = n->redundant = n->waits = n->wasted = 0;
}

/* It begins with these decisions. */
static bool give_values(struct path *p, struct path_node *n, const uint32_t *values, uint32_t n_values)
{
        p->parts.n = n->part;
        n->n_parts = n_values ? n_values : 1;
        n->other = n_values > 0;
        if (n_values >= WIRE_MAX_EVENTS - n->decision || !vec_reserve(&p->parts, n->n_parts))
                return false;
        for (uint32_t k = 0; k < n->n_parts; k++)
                *vec_push(&p->parts) = (struct path_part){.choice = n_values ? values[k] : WIRE_NO_CHOICE,
                                                          .next_choice = WIRE_NO_CHOICE};
        return true;
}

int path_adopt(struct path *p, struct strategy *s, struct stream *in, uint32_t *slept)
{
        uint32_t depth = stream_get_u32(in), actor = stream_get_max(in, WIRE_MAX_THREADS - 1);
        uint32_t waits = stream_get_max(in, 1);
        uint32_t n_values, *values = stream_get_array(in, WIRE_MAX_EVENTS, sizeof *values, &n_values);
        uint32_t n_sleepers = stream_get_u32(in);
        size_t sleepers = in->pos, end;
        struct path_node *n;
        bool ok;

        skip_sleepers(in, n_sleepers);
        ok = !in->failed && !s->ops->persist->load(s, in) && depth < p->nodes.n &&
             give_values(p, &p->nodes.at[depth], values, n_values);
        free(values);
        if (!ok)
                return -EINVAL;
        end = in->pos;
        in->pos = sleepers;
        cut_at(p, depth);
        n = &p->nodes.at[depth];
        *slept = n->n_sleep;
        if (!get_sleepers(p, n, in, n_sleepers))
                return -EINVAL;
        in->pos = end;
        n->actor = (uint16_t)actor;
        n->op = 0;
        n->waits = (uint8_t)waits;
        p->branch = depth;
        p->started = p->given = p->rebuild = true;
        return 0;
}
