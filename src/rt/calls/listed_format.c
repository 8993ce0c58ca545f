/*
 * Calls that a format drives: the strings that printf and its relatives read, what %n and scanf write.
 *
 * The list of arguments is walked as libc walks it.  Formats with numbered arguments (%2$s) are not followed; their use makes
 * the result incomplete.
 */
#include <stdint.h>

#include "rt/calls/listed.h"
#include "rt/notes.h"
#include "rt/rt.h"

/* A format, of characters of `width` bytes. */
struct format {
        const char *at;
        size_t width;
};

/* A conversion. */
struct conversion {
        char kind; /* its letter, f for all of floating-point numbers; 0: the format ends */
        bool skips, allocates, star_width, star_precision;
        size_t most; /* width of an input field, precision of an output; SIZE_MAX: none */
        char length; /* h, l, L, and H for hh */
        bool numbered;
};

static uint32_t look(const struct format *f)
{
        return f->width == 1 ? (unsigned char)*f->at : *(const uint32_t *)(const void *)f->at;
}

static void step(struct format *f)
{
        f->at += f->width;
}

static bool take(struct format *f, char c)
{
        if (look(f) != (unsigned char)c)
                return false;
        step(f);
        return true;
}

static bool number(struct format *f, size_t *n)
{
        bool any = false;

        for (size_t v = 0; look(f) >= '0' && look(f) <= '9'; step(f)) {
                v = v * 10 + look(f) - '0';
                *n = v;
                any = true;
        }
        return any;
}

static bool one_of(const struct format *f, const char *set)
{
        for (; *set; set++)
                if (look(f) == (unsigned char)*set)
                        return true;
        return false;
}

static void length(struct format *f, struct conversion *v)
{
        if (take(f, 'h'))
                v->length = take(f, 'h') ? 'H' : 'h';
        else if (take(f, 'l'))
                v->length = take(f, 'l') ? 'q' : 'l';
        else if (take(f, 'L'))
                v->length = 'L';
        else if (one_of(f, "qjzZt")) {
                step(f);
                v->length = 'q';
        }
}

/* The set of %[ ends at its first ], which is not the first character. */
static void skip_set(struct format *f)
{
        take(f, '^');
        take(f, ']');
        while (look(f) && !take(f, ']'))
                step(f);
}

static struct conversion next(struct format *f, bool input)
{
        struct conversion v = {.most = SIZE_MAX};

        while (look(f) && !take(f, '%'))
                step(f);
        if (!look(f))
                return v;
        while (one_of(f, input ? "'I" : "-+ #0'I"))
                step(f);
        if (input)
                v.skips = take(f, '*');
        else
                v.star_width = take(f, '*');
        if (number(f, &v.most) && look(f) == '$')
                v.numbered = true;
        if (!input)
                v.most = SIZE_MAX;
        if (take(f, '.')) {
                v.most = 0;
                v.star_precision = take(f, '*');
                number(f, &v.most);
        }
        if (input)
                v.allocates = take(f, 'm');
        length(f, &v);
        v.kind = one_of(f, "efgaEFGA") ? 'f' : (char)look(f);
        if (v.kind)
                step(f);
        if (input && v.kind == '[')
                skip_set(f);
        return v;
}

static size_t integer(char length)
{
        return length == 'H' ? 1 : length == 'h' ? 2 : length == 0 ? 4 : 8;
}

/* Arguments as they are before the call, which uses them up.  The copy is kept for later. */
static void arguments(struct listed *c, const struct listed_part *p)
{
        if (c->stage != LISTED_WRITES)
                __builtin_memcpy(c->list, listed_pointer(c, p->a), sizeof c->list);
}

static void read_text(struct listed *c, const struct conversion *v, const void *s)
{
        size_t width = v->kind == 'S' || v->length == 'l' ? 4 : 1;

        if (c->stage == LISTED_READS && s)
                listed_range(c, OP_READ, s, listed_string(s, width, v->most < SIZE_MAX / 8 ? v->most : SIZE_MAX / 8));
}

static void print(struct listed *c, const struct conversion *v, va_list list)
{
        struct conversion w = *v;

        if (v->star_width)
                (void)va_arg(list, uint64_t);
        if (v->star_precision) {
                int most = (int)va_arg(list, uint64_t);
                w.most = most < 0 ? SIZE_MAX : (size_t)most;
        }
        switch (v->kind) {
        case '%':
        case 'm': break;
        case 's':
        case 'S': read_text(c, &w, va_arg(list, const void *)); break;
        case 'n': listed_range(c, OP_WRITE, va_arg(list, void *), integer(v->length)); break;
        case 'f':
                if (v->length == 'L')
                        (void)va_arg(list, long double);
                else
                        (void)va_arg(list, double);
                break;
        default: (void)va_arg(list, uint64_t);
        }
}

/* SPECIAL_N(listed_printf, format, arguments, -, width of a character) */
void listed_printf(struct listed *c, const struct listed_part *p)
{
        struct format f = {listed_pointer(c, p->arg), p->size};
        struct conversion v;
        va_list list;

        if (c->stage != LISTED_READS && !c->kept[1]) /* nothing is written */
                return;
        arguments(c, p);
        if (c->stage == LISTED_READS)
                listed_range(c, OP_READ, f.at, listed_string(f.at, p->size, SIZE_MAX / 8));
        va_copy(list, c->list);
        while ((v = next(&f, false)).kind) {
                c->kept[1] |= v.kind == 'n';
                if (v.numbered) {
                        rt_note_incomplete(REASON_CALL_FORMAT, c->row->name);
                        break;
                }
                print(c, &v, list);
        }
        va_end(list);
}

/* Bytes of an input field that is stored at `to`, or may be. */
static size_t stored(const struct listed *c, const struct conversion *v, const void *to, size_t longest)
{
        size_t width = v->kind == 'S' || v->kind == 'C' || v->length == 'l' ? 4 : 1;

        if (v->allocates)
                return sizeof(void *);
        switch (v->kind) {
        case 'c':
        case 'C': return (v->most == SIZE_MAX ? 1 : v->most) * width;
        case 's':
        case 'S':
        case '[':
                if (c->stage == LISTED_WRITES)
                        return listed_string(to, width, SIZE_MAX / 8);
                return ((v->most < longest ? v->most : longest) + 1) * width;
        case 'f': return v->length == 'L' ? 16 : v->length == 'l' ? 8 : 4;
        case 'p': return sizeof(void *);
        default: return integer(v->length);
        }
}

/* SPECIAL_N(listed_scanf, format, arguments, text that is read or LISTED_NONE, width of a character) */
void listed_scanf(struct listed *c, const struct listed_part *p)
{
        struct format f = {listed_pointer(c, p->arg), p->size};
        int stores = c->stage == LISTED_WRITES ? (int)c->f->rax : INT32_MAX, n = 0;
        size_t longest = 4096;
        struct conversion v;
        va_list list;

        arguments(c, p);
        if (p->b != LISTED_NONE)
                longest = listed_string(listed_pointer(c, p->b), p->size, SIZE_MAX / 8) / p->size;
        if (c->stage == LISTED_READS) {
                listed_range(c, OP_READ, f.at, listed_string(f.at, p->size, SIZE_MAX / 8));
                if (p->b != LISTED_NONE)
                        listed_range(c, OP_READ, listed_pointer(c, p->b), longest * p->size);
                return;
        }
        va_copy(list, c->list);
        while ((v = next(&f, true)).kind) {
                void *to;

                if (v.kind == '%' || v.skips)
                        continue;
                if (v.numbered) {
                        rt_note_incomplete(REASON_CALL_FORMAT, c->row->name);
                        break;
                }
                to = va_arg(list, void *);
                if (n < stores || (v.kind == 'n' && n == stores))
                        listed_range(c, OP_WRITE, to, stored(c, &v, to, longest));
                n += v.kind != 'n';
        }
        va_end(list);
}
