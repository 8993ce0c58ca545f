/*
 * Words are naturally aligned, and as large as can be.  Up: a word of the destination is written when all of it was read.
 * Down, where the destination lies above the source and overlaps it: the same from the end.
 */
#include "words.h"

bool has_words(const struct op *o)
{
        return is_wide(o) || o->kind == OP_SET || o->kind == OP_COPY || o->kind == OP_COMPARE;
}

/* Word i of [off, off + size). */
static bool nth(int off, int size, int i, int *at, int *bytes)
{
        int end = off + size;
        for (int a = off; a < end; a += *bytes) {
                for (*bytes = 8; a % *bytes || a + *bytes > end; *bytes /= 2)
                        ;
                *at = a;
                if (i-- == 0)
                        return true;
        }
        return false;
}

static int count(int off, int size)
{
        int n = 0, at, bytes;
        while (nth(off, size, n, &at, &bytes))
                n++;
        return n;
}

static bool put(struct word *w, bool write, int start, int off, int size)
{
        *w = (struct word){.write = write, .at = off - start, .off = off, .size = size};
        return true;
}

/* The words of two ranges: those of the second when the first has all their bytes (a copy), or has begun them (a
 * comparison). */
static bool merged(const struct op *o, int k, struct word *w)
{
        bool copy = o->kind == OP_COPY, down = copy && o->off > (int)o->value && o->off < (int)o->value + o->size;
        int a = copy ? (int)o->value : o->off, b = copy ? o->off : (int)o->value;
        int n_first = count(a, o->size), n_second = count(b, o->size);
        for (int i = 0, j = 0, at = 0, bytes = 0, to = 0, more = 0; i < n_first || j < n_second; k--) {
                bool second = j < n_second && nth(b, o->size, down ? n_second - 1 - j : j, &to, &more);
                bool first = i < n_first && nth(a, o->size, down ? n_first - 1 - i : i, &at, &bytes);
                if (first && second) { /* how far each has come */
                        int need = down ? o->size - (to - b) : copy ? to + more - b : to + 1 - b;
                        int have = down ? o->size - (at + bytes - a) : at - a;
                        first = have < need;
                }
                if (k == 0)
                        return first ? put(w, false, a, at, bytes) : put(w, copy, b, to, more);
                i += first;
                j += !first;
        }
        return false;
}

bool word_of(const struct op *o, int k, struct word *w)
{
        int at, bytes, last = o->off + o->size;
        if (is_wide(o)) { /* by instructions: only the ends of 8 aligned bytes count */
                at = k ? (o->off / 8 + k) * 8 : o->off;
                bytes = at / 8 * 8 + 8 < last ? at / 8 * 8 + 8 - at : last - at;
                return at < last && put(w, o->kind == OP_STORE, o->off, at, bytes);
        }
        if (o->kind != OP_SET)
                return merged(o, k, w);
        return nth(o->off, o->size, k, &at, &bytes) && put(w, true, o->off, at, bytes);
}
