/* See asm_words.h.  Invariant: once sorted, words are in the order of by_word(). */
#include "binary/asm_words.h"

#include <stdlib.h>

#include "base/search.h"

static int by_word(const void *a, const void *b)
{
        const struct asm_word *x = a, *y = b;

        if (x->function != y->function)
                return x->function < y->function ? -1 : 1;
        return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static struct asm_word word_of(const struct wire_locked *l, uint64_t function)
{
        bool absolute = l->base == WIRE_LOCKED_NONE && l->index == WIRE_LOCKED_NONE;

        return (struct asm_word){absolute ? 0 : function, l->offset};
}

static bool may_be_shared(const struct wire_locked *l)
{
        return !l->local && !l->fence && l->base != WIRE_LOCKED_STACK && l->size <= 8;
}

bool asm_words_add(struct asm_words *w, const struct wire_locked *l, uint64_t function)
{
        bool updates = (l->kind >= WIRE_LOCKED_XCHG && l->kind <= WIRE_LOCKED_BTC) || l->kind == WIRE_LOCKED_ATOMIC;

        if (!updates || !may_be_shared(l))
                return true;
        if (!vec_reserve(&w->all, 1))
                return false;
        *vec_push(&w->all) = word_of(l, function);
        return true;
}

void asm_words_sort(struct asm_words *w)
{
        if (w->all.n)
                qsort(w->all.at, w->all.n, sizeof *w->all.at, by_word);
}

static bool is_touched(const struct asm_words *w, const struct wire_locked *l)
{
        uint64_t end = l->addr + l->length;
        uint32_t at = SEARCH(i, w->n_touched, w->touched[i] < end);

        return at < w->n_touched && w->touched[at] == end;
}

bool asm_words_has(const struct asm_words *w, const struct wire_locked *l, uint64_t function)
{
        struct asm_word x = word_of(l, function);
        uint32_t at = SEARCH(i, w->all.n, by_word(&w->all.at[i], &x) < 0);

        if (l->kind != WIRE_LOCKED_LOAD && l->kind != WIRE_LOCKED_STORE && l->kind != WIRE_LOCKED_UPDATE)
                return false;
        return (at < w->all.n && by_word(&w->all.at[at], &x) == 0 && may_be_shared(l)) || is_touched(w, l);
}

void asm_words_fini(struct asm_words *w)
{
        vec_fini(&w->all);
}
