/* Open addressing with linear probing; a slot without a number is free. */
#include "strategy/predict/index_map.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

#define FIRST_BITS 8u

static struct index_map_slot *slot_of(const struct index_map *m, uint64_t key)
{
        uint64_t mask = (UINT64_C(1) << m->bits) - 1;
        uint64_t i = hash_slot(hash_scatter(key), m->bits);

        while (m->slots[i].value && m->slots[i].key != key)
                i = (i + 1) & mask;
        return &m->slots[i];
}

static void resize(struct index_map *m, uint32_t bits)
{
        struct index_map wide = {.n = m->n, .bits = bits};

        wide.slots = calloc((size_t)1 << bits, sizeof *wide.slots);
        if (!wide.slots)
                memory_out();
        for (uint64_t i = 0; m->slots && i < UINT64_C(1) << m->bits; i++)
                if (m->slots[i].value)
                        *slot_of(&wide, m->slots[i].key) = m->slots[i];
        free(m->slots);
        *m = wide;
}

uint32_t index_map_find(const struct index_map *m, uint64_t key)
{
        return m->slots ? slot_of(m, key)->value : 0;
}

uint32_t *index_map_at(struct index_map *m, uint64_t key)
{
        struct index_map_slot *s;

        if (!m->slots || (uint64_t)m->n * 2 >= UINT64_C(1) << m->bits)
                resize(m, m->slots ? m->bits + 1 : FIRST_BITS);
        s = slot_of(m, key);
        if (!s->value) {
                s->key = key;
                m->n++;
        }
        return &s->value;
}

void index_map_save(const struct index_map *m, struct stream *out)
{
        stream_put_u32(out, m->n);
        for (uint64_t i = 0; m->n && i < UINT64_C(1) << m->bits; i++)
                if (m->slots[i].value) {
                        stream_put_u64(out, m->slots[i].key);
                        stream_put_u32(out, m->slots[i].value);
                }
}

void index_map_load(struct index_map *m, uint32_t most, struct stream *in)
{
        uint32_t n = stream_get_count(in, UINT32_MAX, sizeof(uint64_t) + sizeof(uint32_t));

        for (uint32_t i = 0; i < n && !in->failed; i++) {
                uint64_t key = stream_get_u64(in);
                uint32_t value = stream_get_max(in, most);

                in->failed |= !value;
                if (!in->failed)
                        *index_map_at(m, key) = value;
        }
}

void index_map_clear(struct index_map *m)
{
        if (m->slots)
                memset(m->slots, 0, sizeof *m->slots << m->bits);
        m->n = 0;
}

void index_map_fini(struct index_map *m)
{
        free(m->slots);
        *m = (struct index_map){0};
}
