/* See text.h.  Invariant: what is read word by word is used once: no function looks at the same memory again by itself. */
#include "rt/copy/text.h"

#include "rt/memory/access_part.h"
#include "rt/memory/bytes.h"
#include "rt/copy/range.h"
#include "rt/sched/failure.h"

extern _Noreturn void __chk_fail(void);

_Noreturn void text_overflow(uintptr_t site)
{
        if (rt_on())
                rt_fail(WIRE_FAIL_ABORT, site, "*** buffer overflow detected ***: terminated");
        __chk_fail();
}

/* Without steps the window is the memory itself. */
static void open_in(struct text *x, struct text_in *in, const void *s, size_t max)
{
        size_t most = UINTPTR_MAX - (uintptr_t)s;

        in->start = in->at = in->p = in->end = s;
        in->limit = max < most / x->unit ? max * x->unit : most;
        in->stop.unit = x->unit;
        in->stop.stop = x->past ? 0 : x->c;
        in->stop.raw = x->raw;
        in->whole = x->raw && x->past;
        if (x->mode != TEXT_STEPS)
                in->end = in->at = in->start + in->limit;
}

void text_refill(struct text *x, struct text_in *in)
{
        size_t done = (size_t)(in->at - in->start);
        uint32_t n = range_word((uintptr_t)in->at, in->limit - done);

        n = step_read(in->word, in->at, n, in->whole || n < x->unit ? NULL : &in->stop, x->site);
        in->p = in->word;
        in->end = in->word + n;
        in->at += n;
}

void text_open(struct text *x, void *dst)
{
        x->out.start = x->out.at = dst;
        x->out.n = 0;
        x->out.held = 0;
}

static void flush(struct text *x)
{
        struct text_out *o = &x->out;
        uint32_t from = 0, size;

        for (; from < o->held; from += size, o->at += size) {
                size = range_word((uintptr_t)o->at, o->held - from);
                step_write(o->at, o->word + from, size, x->site);
        }
        o->held = 0;
}

void text_put(struct text *x, uint32_t v)
{
        struct text_out *o = &x->out;

        if (x->mode != TEXT_DRY && x->room < x->unit)
                text_overflow(x->site);
        for (uint32_t k = 0; k < x->unit; k++, v >>= 8, o->n++) {
                if (x->mode == TEXT_AT_ONCE) {
                        *o->at++ = (unsigned char)v;
                } else if (x->mode == TEXT_STEPS) {
                        o->word[o->held++] = (unsigned char)v;
                        if (!(((uintptr_t)o->at + o->held) & 7))
                                flush(x);
                }
        }
        x->room -= x->mode != TEXT_DRY && x->room != SIZE_MAX ? x->unit : 0;
}

void text_put_end(struct text *x)
{
        if (x->mode == TEXT_STEPS)
                flush(x);
}

/* The units up to the end of a string in memory, or max of them. */
static size_t units(const unsigned char *p, uint32_t unit, size_t max)
{
        const uint32_t __attribute__((aligned(1), may_alias)) *w = (const void *)p;
        size_t n = 0;

        if (unit == 1)
                while (n < max && p[n])
                        n++;
        else
                while (n < max && w[n])
                        n++;
        return n;
}

size_t text_length(struct text *x, unsigned i, size_t max)
{
        size_t n = 0;

        if (x->mode == TEXT_STEPS) {
                while (n < max && text_next(x, i))
                        n++;
                return n;
        }
        n = units(x->in[i].p, x->unit, max);
        x->in[i].p += (n < max ? n + 1 : n) * x->unit;
        return n;
}

size_t text_pass(struct text *x, unsigned i, size_t max)
{
        const unsigned char *from = x->in[i].p;
        size_t n = 0, size;
        uint32_t v;

        if (x->mode == TEXT_STEPS) {
                for (; n < max && (v = text_next(x, i)) != 0; n++)
                        text_put(x, v);
                return n;
        }
        n = text_length(x, i, max);
        size = n * x->unit;
        x->out.n += size;
        if (x->mode == TEXT_DRY)
                return n;
        if (size > x->room)
                text_overflow(x->site);
        x->room -= x->room != SIZE_MAX ? size : 0;
        bytes_copy(x->out.at, from, size);
        x->out.at += size;
        return n;
}

static void open_all(struct text *x, enum text_mode mode)
{
        x->mode = mode;
        open_in(x, &x->in[0], x->a, x->max);
        open_in(x, &x->in[1], x->b, x->max_b ? x->max_b : x->max);
        text_open(x, NULL);
}

/* May the call do its work at once?  What a dry run has read is what it would read.  All bytes of a range without an end must
 * be there, even if not all are read. */
static bool at_once(const struct text *x)
{
        struct access_part part[3] = {{.op = OP_READ}, {.op = OP_READ}, {OP_WRITE, x->out.start, x->out.n}};
        uint32_t steps = range_words(part[2].addr, part[2].size);

        if (!step_seen(x->site))
                return true;
        for (int i = 0; i < 2; i++) {
                const struct text_in *in = &x->in[i];
                size_t used = (size_t)(in->p - in->start);

                part[i].addr = in->start;
                part[i].size = in->whole && in->start ? in->limit : used;
                steps += range_reach(in->start, in->limit, used);
        }
        return !steps || !step_begin(part, 3, steps, x->site);
}

size_t text_run(struct text *x, text_work *work)
{
        size_t result;

        open_all(x, TEXT_DRY);
        result = work(x);
        if (!at_once(x))
                open_all(x, TEXT_STEPS);
        else if (x->out.n)
                open_all(x, TEXT_AT_ONCE);
        else
                return result;
        return work(x);
}
