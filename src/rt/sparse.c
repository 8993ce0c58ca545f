/* See sparse.h. */
#include "rt/sparse.h"

#include <stdbool.h>

#include "rt/rt.h"
#include "rt/util.h"

#define LINE  64u
#define LEAST (4 * LINE) /* zeroes for which a run is worth it */

typedef long long block __attribute__((vector_size(16), aligned(1), may_alias));

static bool is_zero(const void *line)
{
        const block *b = line;
        block any = b[0] | b[1] | b[2] | b[3];

        return !(any[0] | any[1]);
}

/* Of the first n bytes those that are zero, in whole lines. */
static size_t zeroes(const char *at, size_t n)
{
        size_t i = 0;

        while (i + LINE <= n && is_zero(at + i))
                i += LINE;
        return i;
}

void sparse_init(struct sparse *s, const void *copy, size_t n)
{
        const char *at = copy, *end = at + n;
        struct sparse_run *r = s->runs;

        *s = (struct sparse){.copy = copy, .n = 1};
        while (at < end) {
                size_t left = (size_t)(end - at), step = zeroes(at, left);

                if (step >= LEAST && s->n < SPARSE_RUNS) {
                        r->zero = step;
                        r = &s->runs[s->n++];
                } else {
                        step = step ? step : left < LINE ? left : LINE;
                        r->data += step;
                }
                at += step;
        }
}

static void clear(char *to, size_t n)
{
        for (char *end = to + n; to < end; to += LINE)
                if (RT_UNLIKELY(!is_zero(to)))
                        rt_zero(to, LINE);
}

void sparse_put(const struct sparse *s, void *to)
{
        const char *from = s->copy;
        char *at = to;

        for (uint32_t i = 0; i < s->n; i++) {
                const struct sparse_run *r = &s->runs[i];

                rt_copy(at, from, r->data);
                clear(at + r->data, r->zero);
                at += r->data + r->zero;
                from += r->data + r->zero;
        }
}
