/*
 * A hash table of the races' numbers with linear probing, at most half full.  The array of races has room for half as many
 * as there are slots.
 */
#include "verdict/race_index.h"

#include <stdlib.h>

#include "base/stream.h"

static uint32_t slot_of(const struct result *r, const struct race *like)
{
        uint64_t key[4];

        for (int i = 0; i < 2; i++) {
                key[2 * i] = like->access[i].site;
                key[2 * i + 1] = like->access[i].kind;
        }
        return (uint32_t)stream_hash(0, key, sizeof key) & ((1u << r->race_bits) - 1);
}

static uint32_t *find(const struct result *r, const struct race *like)
{
        uint32_t h = slot_of(r, like);

        while (r->race_slots[h] && !race_same(&r->races[r->race_slots[h] - 1], like))
                h = (h + 1) & ((1u << r->race_bits) - 1);
        return &r->race_slots[h];
}

struct race *race_table_find(const struct result *r, const struct race *like)
{
        uint32_t k = r->race_slots ? *find(r, like) : 0;

        return k ? &r->races[k - 1] : NULL;
}

static bool grow(struct result *r)
{
        uint32_t bits = r->race_bits ? r->race_bits + 1 : 8;
        uint32_t *slots = calloc((size_t)1 << bits, sizeof *slots);
        struct race *all = realloc(r->races, ((size_t)1 << bits) / 2 * sizeof *all);

        r->races = all ? all : r->races;
        if (!slots || !all) {
                free(slots);
                return false;
        }
        free(r->race_slots);
        r->race_slots = slots;
        r->race_bits = bits;
        for (uint32_t i = 0; i < r->n_races; i++)
                *find(r, &r->races[i]) = i + 1;
        return true;
}

bool race_table_add(struct result *r, const struct race *race)
{
        uint32_t *slot;

        if ((!r->race_bits || r->n_races * 2 >= 1u << r->race_bits) && !grow(r))
                return false;
        slot = find(r, race);
        r->races[r->n_races++] = *race;
        *slot = r->n_races;
        return true;
}
