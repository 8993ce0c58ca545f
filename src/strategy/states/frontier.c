/*
 * The frontier: a binary heap by rank.  Ranks follow from --order when an entry is added, so picking knows no order:
 *
 *   depth-first         the latest entry
 *   breadth-first       the shallowest, then the oldest
 *   random              by a hash of the seed and the entry's number
 *   fewest-preemptions  the one with the fewest on its path, then the latest
 *   switch-first        one that changes the thread, then the latest
 */
#include "strategy/states/frontier.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/memory.h"
#include "base/stored.h"
#include "op/op.h"

void frontier_init(struct frontier *f, enum config_order order, uint64_t seed)
{
        *f = (struct frontier){.unused = FRONTIER_ROOT, .order = order, .seed = seed};
}

void frontier_reset(struct frontier *f)
{
        f->links.n = f->heap.n = 0;
        f->unused = FRONTIER_ROOT;
        f->n = 0;
}

void frontier_fini(struct frontier *f)
{
        vec_fini(&f->links);
        vec_fini(&f->heap);
}

uint32_t frontier_link(struct frontier *f, uint32_t parent, const struct wire_decision *d, bool preempts)
{
        uint32_t i = f->unused;
        const struct frontier_link *p;

        if (i != FRONTIER_ROOT) {
                f->unused = f->links.at[i].parent;
        } else {
                if (!vec_reserve(&f->links, 1))
                        return FRONTIER_ROOT;
                i = f->links.n++;
        }
        p = parent == FRONTIER_ROOT ? NULL : &f->links.at[parent];
        f->links.at[i] = (struct frontier_link){
                .decision = *d,
                .parent = parent,
                .users = 1,
                .depth = p ? p->depth + 1 : 0,
                .preemptions = (p ? p->preemptions : 0) + preempts,
        };
        if (parent != FRONTIER_ROOT)
                f->links.at[parent].users++;
        return i;
}

void frontier_put(struct frontier *f, uint32_t link)
{
        while (link != FRONTIER_ROOT && --f->links.at[link].users == 0) {
                uint32_t parent = f->links.at[link].parent;
                f->links.at[link].parent = f->unused;
                f->unused = link;
                link = parent;
        }
        heddle_check(frontier_check(f));
}

/* The uses of a link follow from the entries; the number in the file is not trusted. */
void frontier_save(const struct frontier *f, struct stream *out)
{
        vec_put(out, &f->links, f->links.n);
        vec_put(out, &f->heap, f->heap.n);
        stream_put_u64(out, f->n);
}

bool frontier_valid(const struct frontier *f, const struct frontier_entry *e)
{
        return (e->path == FRONTIER_ROOT || e->path < f->links.n) && e->actor < WIRE_MAX_THREADS &&
               *(const unsigned char *)&e->state.known <= 1;
}

/* One more user; a link that had none is one of its parent's.  Depths count down to 0, so paths end. */
static bool hold(struct frontier *f, uint32_t link)
{
        while (link != FRONTIER_ROOT) {
                struct frontier_link *l = &f->links.at[link];
                uint32_t before = l->parent == FRONTIER_ROOT ? 0
                                  : l->parent < f->links.n   ? f->links.at[l->parent].depth + 1
                                                             : UINT32_MAX;

                if (l->users++)
                        return true;
                if (l->depth != before || l->depth >= WIRE_MAX_EVENTS - 1 || l->decision.actor >= WIRE_MAX_THREADS ||
                    l->decision.op >= OP_COUNT)
                        return false;
                link = l->parent;
        }
        return true;
}

bool frontier_load(struct frontier *f, struct stream *in, uint32_t held)
{
        frontier_reset(f);
        if (!vec_get(in, &f->links, STORED_MAX) || !vec_get(in, &f->heap, STORED_MAX))
                return false;
        f->n = stream_get_u64(in);
        for (uint32_t i = 0; i < f->links.n; i++)
                f->links.at[i].users = 0;
        for (uint32_t i = 0; i < f->heap.n; i++)
                if (!frontier_valid(f, &f->heap.at[i]) || !hold(f, f->heap.at[i].path))
                        return false;
        if (in->failed || (held != FRONTIER_ROOT && held >= f->links.n) || !hold(f, held))
                return false;
        for (uint32_t i = 0; i < f->links.n; i++)
                if (!f->links.at[i].users) {
                        f->links.at[i].parent = f->unused;
                        f->unused = i;
                }
        return frontier_check(f);
}

static uint64_t rank_of(const struct frontier *f, const struct frontier_entry *e, bool preempts)
{
        const struct frontier_link *p = e->path == FRONTIER_ROOT ? NULL : &f->links.at[e->path];
        uint64_t latest = (UINT64_C(1) << 40) - 1 - (f->n & ((UINT64_C(1) << 40) - 1));
        uint64_t key[2] = {f->seed, f->n};

        switch (f->order) {
        case ORDER_BREADTH_FIRST: return (uint64_t)e->state.depth << 40 | f->n;
        case ORDER_RANDOM: return stream_hash(0, key, sizeof key);
        case ORDER_FEWEST_PREEMPTIONS: return (uint64_t)((p ? p->preemptions : 0) + preempts) << 40 | latest;
        case ORDER_SWITCH_FIRST: return (uint64_t)(p && p->decision.actor == e->actor) << 40 | latest;
        default: return latest;
        }
}

bool frontier_add(struct frontier *f, const struct frontier_entry *e, bool preempts)
{
        struct frontier_entry *h, new = *e;
        uint32_t i = f->heap.n;

        if (!vec_reserve(&f->heap, 1))
                return false;
        new.rank = rank_of(f, e, preempts);
        f->n++;
        f->heap.n++;
        if (e->path != FRONTIER_ROOT)
                f->links.at[e->path].users++;
        h = f->heap.at;
        for (; i > 0 && h[(i - 1) / 2].rank > new.rank; i = (i - 1) / 2)
                h[i] = h[(i - 1) / 2];
        h[i] = new;
        heddle_check(frontier_check(f));
        return true;
}

bool frontier_pick(struct frontier *f, struct frontier_entry *e)
{
        struct frontier_entry *h = f->heap.at, last;
        uint32_t i = 0, n;

        if (!f->heap.n)
                return false;
        *e = h[0];
        n = --f->heap.n;
        last = h[n];
        for (;;) {
                uint32_t child = 2 * i + 1;
                if (child >= n)
                        break;
                if (child + 1 < n && h[child + 1].rank < h[child].rank)
                        child++;
                if (h[child].rank >= last.rank)
                        break;
                h[i] = h[child];
                i = child;
        }
        h[i] = last;
        heddle_check(frontier_check(f));
        return true;
}

/* Counts the references to each link, and the unused ones as UINT32_MAX.  false: a reference leads astray, or the unused
 * links are not a list. */
static bool count_users(const struct frontier *f, uint32_t *users)
{
        uint32_t n = 0;

        for (uint32_t i = f->unused; i != FRONTIER_ROOT; i = f->links.at[i].parent) {
                if (i >= f->links.n || ++n > f->links.n || f->links.at[i].users)
                        return false;
                users[i] = UINT32_MAX;
        }
        for (uint32_t i = 0; i < f->links.n; i++) {
                const struct frontier_link *l = &f->links.at[i];

                if (users[i] == UINT32_MAX)
                        continue;
                if (l->parent == FRONTIER_ROOT ? l->depth != 0 : l->parent >= f->links.n)
                        return false;
                if (l->parent != FRONTIER_ROOT &&
                    (users[l->parent]++ == UINT32_MAX || l->depth != f->links.at[l->parent].depth + 1))
                        return false;
        }
        for (uint32_t i = 0; i < f->heap.n; i++) {
                if (!frontier_valid(f, &f->heap.at[i]))
                        return false;
                if (f->heap.at[i].path != FRONTIER_ROOT && users[f->heap.at[i].path]++ == UINT32_MAX)
                        return false;
        }
        return true;
}

bool frontier_check(const struct frontier *f)
{
        uint32_t *users = calloc(f->links.n + 1u, sizeof *users);
        bool ok = users && count_users(f, users);

        if (!users)
                memory_out();
        for (uint32_t i = 1; i < f->heap.n && ok; i++)
                ok = f->heap.at[(i - 1) / 2].rank <= f->heap.at[i].rank;
        for (uint32_t i = 0; i < f->links.n && ok; i++)
                ok = users[i] == UINT32_MAX || (f->links.at[i].users && users[i] <= f->links.at[i].users);
        free(users);
        return ok;
}
