/* See part.h. */
#include "strategy/mcr/part.h"

#include <stdlib.h>
#include <string.h>

/* Of a history that ends with the node. */
#define INSIDE   0u /* it has what is needed of its thread */
#define ABOVE    1u /* it may get it */
#define OUTSIDE  2u
#define STATUS   3u
#define ON_PATH  4u /* a node that is needed, or one above it */
#define NEEDED   8u
#define EXCLUDED 16u

void part_fini(struct part *p)
{
        vec_fini(&p->needed);
        vec_fini(&p->excluded);
        vec_fini(&p->status);
}

static uint32_t needed(const struct part *p, uint32_t thread)
{
        return thread < p->needed.n ? p->needed.at[thread] : 0;
}

static uint8_t status_of(const struct part *p, const struct tries *t, uint32_t i)
{
        const struct node *n = &t->nodes.at[i];
        uint8_t flags = p->status.at[i];
        uint32_t before = n->parent ? p->status.at[n->parent] & STATUS : needed(p, n->thread) ? ABOVE : INSIDE;

        if (before != ABOVE)
                return flags & EXCLUDED ? OUTSIDE : (uint8_t)before;
        return !(flags & ON_PATH) || (flags & EXCLUDED) ? OUTSIDE : flags & NEEDED ? INSIDE : ABOVE;
}

void part_grow(struct part *p, const struct tries *t)
{
        if (part_whole(p) || p->status.n == t->nodes.n)
                return;
        if (!vec_reserve(&p->status, t->nodes.n - p->status.n))
                memory_out();
        while (p->status.n < t->nodes.n) { /* parents come before their children */
                uint32_t i = p->status.n;

                *vec_push(&p->status) = 0;
                p->status.at[i] |= status_of(p, t, i);
        }
}

/* All from the beginning. */
static void index_nodes(struct part *p, const struct tries *t)
{
        p->status.n = 0;
        if (!vec_reserve(&p->status, t->nodes.n))
                memory_out();
        p->status.n = t->nodes.n;
        memset(p->status.at, 0, t->nodes.n);
        for (uint32_t i = 0; i < p->needed.n; i++) {
                if (p->needed.at[i])
                        p->status.at[p->needed.at[i]] |= NEEDED;
                for (uint32_t n = p->needed.at[i]; n; n = t->nodes.at[n].parent)
                        p->status.at[n] |= ON_PATH;
        }
        for (uint32_t i = 0; i < p->excluded.n; i++)
                p->status.at[p->excluded.at[i]] |= EXCLUDED;
        for (uint32_t i = 1; i < t->nodes.n; i++)
                p->status.at[i] |= status_of(p, t, i);
}

bool part_left(const struct part *p, const struct tries *t, const uint64_t *now)
{
        for (uint32_t i = 0; i < t->threads.n && !part_whole(p); i++) {
                uint64_t at = t->threads.at[i] ? now[t->threads.at[i]] : 0;

                if (at && (p->status.at[at] & STATUS) == OUTSIDE)
                        return true;
        }
        return false;
}

bool part_has(const struct part *p, const struct tries *t, const uint64_t *now)
{
        if (part_left(p, t, now))
                return false;
        for (uint32_t i = 0; i < p->needed.n; i++) {
                uint64_t at = i < t->threads.n && t->threads.at[i] ? now[t->threads.at[i]] : 0;

                if (p->needed.at[i] && (!at || (p->status.at[at] & STATUS) != INSIDE))
                        return false;
        }
        return true;
}

/* Division. */

static void copy(struct part *to, const struct part *from)
{
        *to = (struct part){.size = from->size};
        if (!vec_reserve(&to->needed, from->needed.n + 1) || !vec_reserve(&to->excluded, from->excluded.n + 1))
                memory_out();
        for (uint32_t i = 0; i < from->needed.n; i++)
                *vec_push(&to->needed) = from->needed.at[i];
        for (uint32_t i = 0; i < from->excluded.n; i++)
                *vec_push(&to->excluded) = from->excluded.at[i];
}

static void need(struct part *p, uint32_t thread, uint32_t node)
{
        if (thread >= p->needed.n && !vec_reserve(&p->needed, thread + 1 - p->needed.n))
                memory_out();
        while (p->needed.n <= thread)
                *vec_push(&p->needed) = 0;
        p->needed.at[thread] = node;
}

static bool divides(const struct node *n)
{
        return n->kind == NODE_READ || n->kind == NODE_UPDATE || n->kind == NODE_CHOOSE;
}

struct weights {
        uint32_t *below;  /* histories of the part that have each node */
        uint32_t *depth;  /* of each node */
        uint32_t *thread; /* histories of each thread */
};

static void weigh(const struct part *p, const struct tries *t, struct weights *w)
{
        memset(w->below, 0, t->nodes.n * sizeof *w->below);
        memset(w->thread, 0, WIRE_MAX_THREADS * sizeof *w->thread);
        for (uint32_t i = t->nodes.n - 1; i > 0; i--) {
                const struct node *n = &t->nodes.at[i];

                if ((p->status.at[i] & STATUS) != INSIDE)
                        continue;
                w->below[i]++;
                w->thread[n->thread % WIRE_MAX_THREADS]++;
                w->below[n->parent] += w->below[i];
        }
        for (uint32_t i = 1; i < t->nodes.n; i++)
                w->depth[i] = t->nodes.at[i].parent ? w->depth[t->nodes.at[i].parent] + 1 : 0;
}

/* The node that divides a part best: about half of what its thread does, and soon.  0: there is none. */
static uint32_t find_node(const struct part *p, const struct tries *t, const struct weights *w, double *share)
{
        uint32_t best = 0;
        double most = 0;

        for (uint32_t i = 1; i < t->nodes.n; i++) {
                const struct node *n = &t->nodes.at[i], *before = &t->nodes.at[n->parent];
                double part, score;

                if (!n->parent || !divides(before) || (p->status.at[i] & STATUS) != INSIDE ||
                    (p->status.at[n->parent] & STATUS) != INSIDE || w->below[n->parent] < w->below[i] + 2)
                        continue;
                part = (double)w->below[i] / w->thread[n->thread % WIRE_MAX_THREADS];
                score = (part < 0.5 ? part : 1 - part) / (1 + w->depth[i] / 16.0);
                if (score <= most)
                        continue;
                most = score;
                best = i;
                *share = part;
        }
        return best;
}

/* false: it cannot be divided. */
static bool halve(struct part *p, const struct tries *t, struct weights *w, struct part *other)
{
        double share = 0;
        uint32_t node;

        index_nodes(p, t);
        weigh(p, t, w);
        node = find_node(p, t, w, &share);
        if (!node)
                return false;
        copy(other, p);
        need(other, t->nodes.at[node].thread, node);
        other->size = p->size * share;
        p->size *= 1 - share;
        if (!vec_reserve(&p->excluded, 1))
                memory_out();
        *vec_push(&p->excluded) = node;
        return true;
}

uint32_t part_divide(const struct part *p, const struct tries *t, uint32_t n, struct part *out)
{
        struct weights w = {malloc(t->nodes.n * sizeof *w.below), calloc(t->nodes.n, sizeof *w.depth),
                            malloc(WIRE_MAX_THREADS * sizeof *w.thread)};
        uint32_t made = 1;
        bool more = w.below && w.depth && w.thread;

        copy(&out[0], p);
        out[0].size = 1;
        while (more && made < n) {
                uint32_t largest = UINT32_MAX;

                for (uint32_t i = 0; i < made; i++)
                        if (out[i].size > 0 && (largest == UINT32_MAX || out[i].size > out[largest].size))
                                largest = i;
                more = largest != UINT32_MAX;
                if (more && halve(&out[largest], t, &w, &out[made]))
                        made++;
                else if (more)
                        out[largest].size = -out[largest].size; /* not again */
        }
        for (uint32_t i = 0; i < made; i++)
                out[i].size = out[i].size < 0 ? -out[i].size : out[i].size;
        free(w.below);
        free(w.depth);
        free(w.thread);
        return made;
}

void part_save(const struct part *p, struct stream *out)
{
        stream_put_array(out, p->needed.at, p->needed.n, sizeof *p->needed.at);
        stream_put_array(out, p->excluded.at, p->excluded.n, sizeof *p->excluded.at);
}

bool part_load(struct part *p, const struct tries *t, struct stream *in)
{
        bool ok = true;

        part_fini(p);
        *p = (struct part){.size = 1};
        p->needed.at = stream_get_array(in, WIRE_MAX_THREADS, sizeof *p->needed.at, &p->needed.n);
        p->needed.room = p->needed.n;
        p->excluded.at = stream_get_array(in, t->nodes.n, sizeof *p->excluded.at, &p->excluded.n);
        p->excluded.room = p->excluded.n;
        for (uint32_t i = 0; i < p->needed.n; i++)
                ok &= p->needed.at[i] < t->nodes.n && (!p->needed.at[i] || t->nodes.at[p->needed.at[i]].thread == i);
        for (uint32_t i = 0; i < p->excluded.n; i++)
                ok &= p->excluded.at[i] && p->excluded.at[i] < t->nodes.n;
        if (ok && !in->failed && !part_whole(p))
                index_nodes(p, t);
        return ok && !in->failed;
}
