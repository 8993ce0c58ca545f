/*
 * Records: append-only, found again by a hash.  In the target all of them are in the wire.  The explorer reads those,
 * believing no number in them, and adds its own to memory of its own.
 */
#include "op/records.h"

#include <stddef.h>

#include "base/hash.h"
#include "wire/limits.h"

#define LOCAL    UINT64_C(0x80000000) /* a number of the explorer's own */
#define MAX_SIZE 1024u

static struct op_records trace, own;
static uint64_t local; /* LOCAL where the two differ */

void records_use(const struct op_records *t, const struct op_records *o)
{
        trace = *t;
        own = *o;
        local = t->words == o->words ? 0 : LOCAL;
        if (*own.n == 0)
                *own.n = 1; /* 0 is not a number */
}

static const void *get(const struct op_records *r, uint64_t id, uint32_t *size)
{
        uint32_t n = r->words ? *(volatile uint32_t *)r->n : 0, bytes;

        if (n > r->room)
                n = r->room;
        if (id == 0 || id >= n)
                return NULL;
        bytes = (uint32_t)r->words[id];
        if (bytes % 8 || bytes > MAX_SIZE || bytes / 8 > n - id - 1)
                return NULL;
        *size = bytes;
        return &r->words[id + 1];
}

const void *records_get(uint64_t id, uint32_t *size)
{
        return local && (id & LOCAL) ? get(&own, id & ~LOCAL, size) : get(&trace, id, size);
}

static uint32_t find(const struct op_records *r, uint32_t head, const uint64_t *w, uint32_t size)
{
        for (uint32_t i = head, before; i; i = before < i ? before : 0) {
                uint32_t n = 0, k = 0;
                const uint64_t *at = get(r, i, &n);

                if (!at)
                        return 0;
                while (n == size && k < size / 8 && at[k] == w[k])
                        k++;
                if (n == size && k == size / 8)
                        return i;
                before = (uint32_t)(r->words[i] >> 32);
        }
        return 0;
}

/* Of `own`, whatever those of the trace are. */
static uint64_t add_own(const uint64_t *w, uint32_t size, uint64_t h)
{
        uint32_t *head = &own.heads[h], n = *own.n, id = find(&own, *head, w, size);

        if (id)
                return id | local;
        if (n + 1 + size / 8 > own.room)
                return 0;
        own.words[n] = (uint64_t)*head << 32 | size;
        for (uint32_t i = 0; i < size / 8; i++)
                own.words[n + 1 + i] = w[i];
        *own.n = n + 1 + size / 8;
        *head = n;
        return n | local;
}

static uint64_t head_of(const uint64_t *w, uint32_t size)
{
        uint64_t h = size;

        for (uint32_t i = 0; i < size / 8; i++)
                h = hash_mix(h, w[i]);
        return h % WIRE_STATE_HEADS;
}

uint64_t records_add(const void *bytes, uint32_t size)
{
        const uint64_t *w = bytes;
        uint64_t h;
        uint32_t id;

        if (!own.words)
                return 0;
        h = head_of(w, size);
        if (local && (id = find(&trace, trace.heads[h], w, size)))
                return id;
        return add_own(w, size, h);
}

uint64_t records_own(uint64_t id)
{
        uint32_t size = 0;
        const uint64_t *w = records_get(id, &size);

        if (!w || !own.words)
                return 0;
        return local && (id & LOCAL) ? id : add_own(w, size, head_of(w, size));
}
