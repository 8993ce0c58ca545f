/* Open addressing with linear probing; the table is at most half full, so a probe always meets a free slot. */
#include "base/ptrmap.h"

#include <stdlib.h>

static struct ptrmap_slot *slot_of(struct ptrmap_slot *slots, size_t cap, uint64_t key)
{
        size_t i = (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & (cap - 1);

        while (slots[i].value && slots[i].key != key)
                i = (i + 1) & (cap - 1);
        return &slots[i];
}

void *ptrmap_find(const struct ptrmap *m, uint64_t key)
{
        return m->cap ? slot_of(m->slots, m->cap, key)->value : NULL;
}

static int grow(struct ptrmap *m)
{
        size_t cap = m->cap ? m->cap * 2 : 64;
        struct ptrmap_slot *slots = calloc(cap, sizeof(*slots));

        if (!slots)
                return -1;
        for (size_t i = 0; i < m->cap; i++)
                if (m->slots[i].value)
                        *slot_of(slots, cap, m->slots[i].key) = m->slots[i];
        free(m->slots);
        m->slots = slots;
        m->cap = cap;
        return 0;
}

int ptrmap_insert(struct ptrmap *m, uint64_t key, void *value)
{
        if (m->n * 2 >= m->cap && grow(m))
                return -1;
        *slot_of(m->slots, m->cap, key) = (struct ptrmap_slot){key, value};
        m->n++;
        return 0;
}

void ptrmap_fini(struct ptrmap *m, void (*release)(void *))
{
        for (size_t i = 0; release && i < m->cap; i++)
                if (m->slots[i].value)
                        release(m->slots[i].value);
        free(m->slots);
        *m = (struct ptrmap)PTRMAP_INIT;
}
