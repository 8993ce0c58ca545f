/* See stretches.h.  Invariant: the start files of the compiler, padding and tables of jumps are in no stretch that was
 * added for a gap. */
#include "binary/stretches.h"

#include <stdlib.h>

#include "binary/start_files.h"

static int by_address(const void *a, const void *b)
{
        const struct stretch *x = a, *y = b;

        if (x->lo != y->lo)
                return x->lo < y->lo ? -1 : 1;
        return x->hi > y->hi ? -1 : x->hi < y->hi;
}

bool stretches_add(stretches *all, struct stretch t)
{
        if (!vec_reserve(all, 1))
                return false;
        *vec_push(all) = t;
        return true;
}

const struct code *code_at(const code_sections *code, uint64_t addr)
{
        for (uint32_t i = 0; i < code->n; i++)
                if (addr >= code->at[i].lo && addr < code->at[i].hi)
                        return &code->at[i];
        return NULL;
}

void stretches_clean(stretches *all, const code_sections *code)
{
        uint64_t seen = 0;
        uint32_t n = 0;

        if (all->n)
                qsort(all->at, all->n, sizeof *all->at, by_address);
        for (uint32_t i = 0; i < all->n; i++) {
                struct stretch t = all->at[i];
                const struct code *c = code_at(code, t.lo);

                if (t.lo < seen)
                        continue;
                for (uint32_t k = i + 1; t.hi == 0 && k < all->n; k++)
                        if (all->at[k].lo > t.lo)
                                t.hi = all->at[k].lo;
                if (t.hi == 0 || t.hi > c->hi)
                        t.hi = c->hi;
                all->at[n++] = t;
                seen = t.hi;
        }
        all->n = n;
}

static bool take_gap(stretches *all, const struct code *c, uint64_t lo, uint64_t hi)
{
        if (hi - c->lo >= START_FILES_MARK && hi - START_FILES_MARK >= lo &&
            start_files_mark(c->bytes + (hi - c->lo) - START_FILES_MARK, START_FILES_MARK))
                hi -= START_FILES_MARK;
        if (lo < hi)
                lo += start_files_skip(c->bytes + (lo - c->lo), (size_t)(hi - lo), lo);
        return lo >= hi || stretches_add(all, (struct stretch){.lo = lo, .hi = hi});
}

bool stretches_fill(stretches *all, const code_sections *code)
{
        uint32_t known = all->n;

        for (uint32_t i = 0; i < code->n; i++) {
                const struct code *c = &code->at[i];
                uint64_t at = c->lo;

                for (uint32_t k = 0; !c->made && k < known; k++) {
                        const struct stretch t = all->at[k];
                        if (t.hi <= at || t.lo >= c->hi)
                                continue;
                        if (!take_gap(all, c, at, t.lo))
                                return false;
                        at = t.hi;
                }
                if (!c->made && !take_gap(all, c, at, c->hi))
                        return false;
        }
        if (all->n > known)
                qsort(all->at, all->n, sizeof *all->at, by_address);
        return true;
}
