/* The two halves of a pair are in the order of their locations, then kinds, then threads: as in the table of races. */
#include "strategy/predict/pairs.h"

#include "base/hash.h"

static bool in_order(const struct pair_access *a, const struct pair_access *b)
{
        if (a->site != b->site)
                return a->site < b->site;
        return a->kind != b->kind ? a->kind < b->kind : a->actor < b->actor;
}

/* Keys are hashes: two pairs with one key would be counted as one. */
uint32_t pairs_find(struct pairs *p, const struct pair_access *early, const struct pair_access *late, uint8_t *order)
{
        bool forward = in_order(early, late);
        const struct pair_access *a = forward ? early : late, *b = forward ? late : early;
        uint64_t key = hash_mix(hash_mix(hash_mix(hash_mix(1, a->site), b->site), a->kind), b->kind);
        uint32_t *i = index_map_at(&p->map, key);

        *order = forward ? RACE_FORWARD : RACE_BACKWARD;
        if (!*i) {
                vec_need(&p->list, 1);
                *vec_push(&p->list) = (struct pair){.site = {a->site, b->site}, .kind = {a->kind, b->kind}};
                *i = p->list.n;
        }
        return *i - 1;
}

void pairs_count(const struct pairs *p, struct prediction_figures *out)
{
        out->both = out->impossible = out->open = 0;
        out->counted = true;
        for (uint32_t i = 0; i < p->list.n; i++) {
                const struct pair *q = &p->list.at[i];

                if (!pair_is_memory(q))
                        continue;
                if (q->orders == (RACE_FORWARD | RACE_BACKWARD))
                        out->both++;
                else if (q->denied && !q->allowed)
                        out->impossible++;
                else
                        out->open++;
        }
}

void pairs_save(const struct pairs *p, struct stream *out)
{
        stream_put_array(out, p->list.at, p->list.n, sizeof *p->list.at);
        index_map_save(&p->map, out);
}

void pairs_load(struct pairs *p, struct stream *in)
{
        uint32_t n = stream_get_count(in, UINT32_MAX, sizeof *p->list.at);

        vec_need(&p->list, n);
        stream_get(in, p->list.at, n * sizeof *p->list.at);
        p->list.n = n;
        index_map_load(&p->map, n, in);
}

void pairs_reset(struct pairs *p)
{
        p->list.n = 0;
        index_map_clear(&p->map);
}

void pairs_fini(struct pairs *p)
{
        vec_fini(&p->list);
        index_map_fini(&p->map);
}
