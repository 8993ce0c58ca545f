/*
 * Byte streams.
 *
 * Invariant: pos <= n <= room, and nothing is read beyond n: a stream may hold what a stranger wrote.
 */
#include "base/stream.h"

#include <stdlib.h>
#include <string.h>

void stream_fini(struct stream *s)
{
        free(s->at);
        *s = (struct stream)STREAM_INIT;
}

void stream_reset(struct stream *s)
{
        s->n = s->pos = 0;
        s->failed = false;
}

void stream_put(struct stream *s, const void *from, size_t n)
{
        if (s->failed || n == 0)
                return;
        if (n > s->room - s->n) {
                size_t room = s->room ? s->room : 4096;
                while (room - s->n < n && room <= SIZE_MAX / 2)
                        room *= 2;
                unsigned char *at = room - s->n >= n ? realloc(s->at, room) : NULL;
                if (!at) {
                        s->failed = true;
                        return;
                }
                s->at = at;
                s->room = room;
        }
        memcpy(s->at + s->n, from, n);
        s->n += n;
}

void stream_put_u32(struct stream *s, uint32_t v)
{
        stream_put(s, &v, sizeof v);
}

void stream_put_u64(struct stream *s, uint64_t v)
{
        stream_put(s, &v, sizeof v);
}

void stream_put_array(struct stream *s, const void *from, uint32_t n, size_t size)
{
        stream_put_u32(s, n);
        stream_put(s, from, n * size);
}

void stream_put_text(struct stream *s, const char *text)
{
        stream_put_array(s, text, text ? (uint32_t)strlen(text) : 0, 1);
}

void stream_get(struct stream *s, void *to, size_t n)
{
        if (s->failed || n > s->n - s->pos) {
                s->failed = true;
                if (n)
                        memset(to, 0, n);
                return;
        }
        if (n)
                memcpy(to, s->at + s->pos, n);
        s->pos += n;
}

uint32_t stream_get_u32(struct stream *s)
{
        uint32_t v;

        stream_get(s, &v, sizeof v);
        return v;
}

uint64_t stream_get_u64(struct stream *s)
{
        uint64_t v;

        stream_get(s, &v, sizeof v);
        return v;
}

uint32_t stream_get_max(struct stream *s, uint32_t limit)
{
        uint32_t v = stream_get_u32(s);

        if (v <= limit)
                return v;
        s->failed = true;
        return 0;
}

uint32_t stream_get_count(struct stream *s, uint32_t limit, size_t size)
{
        uint32_t n = stream_get_max(s, limit);

        if (s->failed || n * (uint64_t)size > s->n - s->pos) {
                s->failed = true;
                return 0;
        }
        return n;
}

void *stream_get_array(struct stream *s, uint32_t limit, size_t size, uint32_t *n)
{
        void *all;

        *n = stream_get_count(s, limit, size);
        if (!*n)
                return NULL;
        all = malloc(*n * size);
        if (!all) {
                s->failed = true;
                *n = 0;
                return NULL;
        }
        stream_get(s, all, *n * size);
        return all;
}

char *stream_get_text(struct stream *s, uint32_t limit)
{
        uint32_t n = stream_get_count(s, limit, 1);
        char *text = s->failed ? NULL : malloc((size_t)n + 1);

        if (!text) {
                s->failed = true;
                return NULL;
        }
        stream_get(s, text, n);
        text[n] = 0;
        return text;
}

bool stream_done(const struct stream *s)
{
        return !s->failed && s->pos == s->n;
}

uint64_t stream_hash(uint64_t seed, const void *bytes, size_t n)
{
        const unsigned char *p = bytes;
        uint64_t h = seed ^ UINT64_C(0xcbf29ce484222325), w;

        for (; n >= 8; n -= 8, p += 8) {
                memcpy(&w, p, 8);
                h = (h ^ w) * UINT64_C(0x9fb21c651e98df25);
                h ^= h >> 32;
        }
        for (; n > 0; n--, p++)
                h = (h ^ *p) * UINT64_C(0x100000001b3);
        return h ^ h >> 29;
}
