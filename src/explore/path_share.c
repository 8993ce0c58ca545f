/* Common nodes of a path, in the messages of jobtree.h: what strategies with sleep sets have in common. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "explore/jobtree.h"
#include "explore/path.h"

const struct wire_access *path_whole(const struct path *p, uint32_t i, uint32_t *n, bool *partial)
{
        *n = p->nodes.at[i].n_acc;
        *partial = false;
        for (uint32_t j = i + 1; j < p->nodes.n && p->nodes.at[j].forced; j++) {
                *n += p->nodes.at[j].n_acc;
                *partial |= p->nodes.at[j].next_choice != WIRE_NO_CHOICE || p->nodes.at[j].other;
        }
        return *n ? &p->accesses.at[p->nodes.at[i].acc] : NULL;
}

static void put_whole(const struct path *p, uint32_t i, struct stream *out)
{
        uint32_t n;
        bool partial;
        const struct wire_access *acc = path_whole(p, i, &n, &partial);

        stream_put_u32(out, partial);
        stream_put_array(out, acc, n, sizeof *acc);
}

void path_put_common(const struct path *p, uint32_t i, struct stream *out)
{
        const struct path_node *n = &p->nodes.at[i];

        stream_put_u32(out, n->actor);
        stream_put_u32(out, n->choice);
        stream_put_u32(out, n->next_choice);
        put_whole(p, i, out);
}

void path_put_first(const struct path *p, uint32_t i, struct stream *out)
{
        stream_put_u32(out, p->nodes.at[i].next_choice);
        put_whole(p, i, out);
}

void path_put_race(const struct path *p, uint32_t i, const uint64_t *initials, uint32_t words, uint32_t add,
                   struct stream *out)
{
        uint64_t bits[JOBTREE_WORDS] = {0}, weak[JOBTREE_WORDS] = {0};

        memcpy(bits, initials, words * sizeof *bits);
        for (uint32_t r = 0; r < p->causality.stride && r < WIRE_MAX_THREADS; r++)
                if (causality_weak(&p->causality, i, r) != CAUSALITY_NONE)
                        weak[r / 64] |= UINT64_C(1) << (r % 64);
        stream_put_u32(out, i);
        stream_put(out, bits, sizeof bits);
        stream_put(out, weak, sizeof weak);
        stream_put_u32(out, add);
}

void path_put_open(uint32_t i, uint32_t actor, struct stream *out)
{
        uint64_t bits[JOBTREE_WORDS] = {0}, weak[JOBTREE_WORDS] = {0};

        bits[actor / 64] |= UINT64_C(1) << (actor % 64);
        stream_put_u32(out, i);
        stream_put(out, bits, sizeof bits);
        stream_put(out, weak, sizeof weak);
        stream_put_u32(out, actor);
}

static void skip_sleepers(struct stream *in, uint32_t count)
{
        uint32_t n;

        for (uint32_t i = 0; i < count && !in->failed; i++) {
                stream_get_u32(in);
                free(stream_get_array(in, WIRE_MAX_FOOTPRINT, sizeof(struct wire_access), &n));
        }
}

/* Puts those to sleep at the top node whose branches were handed out before. */
static bool get_sleepers(struct path *p, struct path_node *n, struct stream *in, uint32_t count)
{
        for (uint32_t i = 0; i < count; i++) {
                uint32_t actor = stream_get_max(in, WIRE_MAX_THREADS - 1), n_acc;
                struct wire_access *acc = stream_get_array(in, WIRE_MAX_FOOTPRINT, sizeof *acc, &n_acc);
                bool ok = !in->failed && path_accesses_valid(acc, n_acc) && path_put_to_sleep(p, n, actor, acc, n_acc);

                free(acc);
                if (!ok)
                        return false;
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
        p->accesses.n = n->acc;
        n->n_acc = 0;
}

int path_adopt(struct path *p, struct strategy *s, struct stream *in, uint32_t *slept)
{
        uint32_t depth = stream_get_u32(in), actor = stream_get_max(in, WIRE_MAX_THREADS - 1);
        uint32_t choice = stream_get_u32(in), n_sleepers = stream_get_u32(in);
        size_t sleepers = in->pos, end;
        struct path_node *n;

        skip_sleepers(in, n_sleepers);
        if (in->failed || s->ops->load(s, in) || depth >= p->nodes.n)
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
        n->choice = choice;
        n->next_choice = WIRE_NO_CHOICE;
        n->op = 0;
        n->other = choice != WIRE_NO_CHOICE;
        p->branch = depth;
        p->started = p->given = p->rebuild = true;
        return 0;
}
