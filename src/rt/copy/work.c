/* See work.h.  They run before anything is relocated or bound, so they call nothing but the cursors and tolower(). */
#include "rt/copy/work.h"

#include <ctype.h>

#include "rt/memory/bytes.h"

size_t work_length(struct text *x)
{
        return text_length(x, 0, x->max);
}

size_t work_find(struct text *x)
{
        for (size_t n = 0; n < x->max; n++) {
                uint32_t v = text_next(x, 0);

                if (v == x->c)
                        return n;
                if (!v && !x->raw)
                        return x->flag ? n : SIZE_MAX;
        }
        return SIZE_MAX;
}

size_t work_last(struct text *x)
{
        size_t last = SIZE_MAX;
        uint32_t v = 1;

        for (size_t n = 0; v; n++) {
                v = text_next(x, 0);
                if (v == x->c)
                        last = n;
        }
        return last;
}

/* How many of the first n bytes are equal. */
static size_t equal(const unsigned char *a, const unsigned char *b, size_t n)
{
        size_t at = 0;

        while (n - at >= 8 && *(const bytes_word *)(a + at) == *(const bytes_word *)(b + at))
                at += 8;
        while (at < n && a[at] == b[at])
                at++;
        return at;
}

/* Bytes that are there, whatever they are. */
static size_t compare_raw(struct text *x)
{
        size_t n = equal(x->in[0].p, x->in[1].p, x->max), read = n < x->max ? n + 1 : n;

        x->last[0] = n < x->max ? x->in[0].p[n] : 0;
        x->last[1] = n < x->max ? x->in[1].p[n] : 0;
        x->in[0].p += read;
        x->in[1].p += read;
        return n;
}

size_t work_compare(struct text *x)
{
        bool fold = x->flag && x->unit == 1;

        if (x->mode != TEXT_STEPS && x->raw && x->unit == 1 && !fold)
                return compare_raw(x);
        x->last[0] = x->last[1] = 0;
        for (size_t n = 0; n < x->max; n++) {
                uint32_t a = text_next(x, 0), b = text_next(x, 1);

                x->last[0] = fold ? (uint32_t)tolower((int)a) : a;
                x->last[1] = fold ? (uint32_t)tolower((int)b) : b;
                if (x->last[0] != x->last[1] || (!a && !x->raw))
                        return n;
        }
        x->last[0] = x->last[1] = 0;
        return x->max;
}

size_t work_copy(struct text *x)
{
        size_t n;

        text_open(x, x->dst);
        n = text_pass(x, 0, SIZE_MAX);
        text_put(x, 0);
        text_put_end(x);
        return n;
}

size_t work_pad(struct text *x)
{
        size_t n, len;

        text_open(x, x->dst);
        len = text_pass(x, 0, x->max);
        for (n = len; n < x->max; n++)
                text_put(x, 0);
        text_put_end(x);
        return len;
}

size_t work_append(struct text *x)
{
        size_t at = text_length(x, 0, SIZE_MAX), n;

        if (x->mode != TEXT_DRY && x->room != SIZE_MAX)
                x->room -= at * x->unit < x->room ? at * x->unit : x->room;
        text_open(x, (unsigned char *)x->dst + at * x->unit);
        n = text_pass(x, 1, x->max_b);
        text_put(x, 0);
        text_put_end(x);
        return at + n;
}

size_t work_until(struct text *x)
{
        size_t n = 0;
        uint32_t v = ~x->c;

        text_open(x, x->dst);
        for (; n < x->max && v != x->c; n++) {
                v = text_next(x, 0);
                text_put(x, v);
        }
        text_put_end(x);
        return v == x->c ? n : SIZE_MAX;
}

size_t work_fill(struct text *x)
{
        text_open(x, x->dst);
        for (size_t n = 0; n < x->max; n++)
                text_put(x, x->c);
        text_put_end(x);
        return x->max;
}
