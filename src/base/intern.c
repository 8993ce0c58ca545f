/* Open addressing with linear probing, at most half full.  Sequences lie one after the other in one array. */
#include "base/intern.h"

#include <string.h>

#include "base/stored.h"

#define FIRST_BITS 10

static uint32_t *slot_of(const struct intern *t, uint64_t hash, const uint64_t *words, uint32_t n)
{
        uint32_t mask = (UINT32_C(1) << t->bits) - 1, i = (uint32_t)(hash >> 20) & mask;

        for (; t->slots[i]; i = (i + 1) & mask) {
                const struct intern_key *k = &t->keys.at[t->slots[i] - 1];
                if (k->hash == hash && k->n == n && !memcmp(&t->words.at[k->at], words, n * sizeof *words))
                        break;
        }
        return &t->slots[i];
}

static bool grow(struct intern *t)
{
        uint32_t bits = t->bits ? t->bits + 1 : FIRST_BITS, mask = (UINT32_C(1) << bits) - 1;
        uint32_t *slots = bits < 32 ? calloc((size_t)1 << bits, sizeof *slots) : NULL;

        if (!slots)
                return false;
        for (uint32_t k = 0; k < t->keys.n; k++) {
                uint32_t i = (uint32_t)(t->keys.at[k].hash >> 20) & mask;
                while (slots[i])
                        i = (i + 1) & mask;
                slots[i] = k + 1;
        }
        free(t->slots);
        t->slots = slots;
        t->bits = bits;
        return true;
}

uint32_t intern_get(struct intern *t, const uint64_t *words, uint32_t n)
{
        uint64_t hash = stream_hash(n, words, n * sizeof *words);
        uint32_t *slot;

        if ((!t->bits || t->keys.n >= UINT32_C(1) << (t->bits - 1)) && !grow(t))
                return 0;
        slot = slot_of(t, hash, words, n);
        if (*slot)
                return *slot;
        if (!vec_reserve(&t->keys, 1) || !vec_reserve(&t->words, n))
                return 0;
        *vec_push(&t->keys) = (struct intern_key){.hash = hash, .at = t->words.n, .n = n};
        memcpy(&t->words.at[t->words.n], words, n * sizeof *words);
        t->words.n += n;
        return *slot = t->keys.n;
}

void intern_save(const struct intern *t, struct stream *out)
{
        stream_put_u32(out, t->keys.n);
        for (uint32_t i = 0; i < t->keys.n; i++)
                stream_put_array(out, &t->words.at[t->keys.at[i].at], t->keys.at[i].n, sizeof *t->words.at);
}

bool intern_load(struct intern *t, struct stream *in)
{
        uint32_t n = stream_get_u32(in);
        VEC(uint64_t) words = {0};
        bool ok = true;

        intern_reset(t);
        for (uint32_t i = 0; i < n && ok; i++)
                ok = vec_get(in, &words, STORED_MAX) && !in->failed && intern_get(t, words.at, words.n) == i + 1;
        vec_fini(&words);
        return ok && !in->failed;
}

void intern_reset(struct intern *t)
{
        t->words.n = t->keys.n = 0;
        if (t->bits)
                memset(t->slots, 0, sizeof *t->slots << t->bits);
}

void intern_fini(struct intern *t)
{
        vec_fini(&t->words);
        vec_fini(&t->keys);
        free(t->slots);
        *t = (struct intern){0};
}
