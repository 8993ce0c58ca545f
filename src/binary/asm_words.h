/*
 * Words that locked instructions of a module update.  Compilers make plain loads and stores of them from atomic ones, and a plain
 * store releases many a lock.
 */
#ifndef HEDDLE_BINARY_ASM_WORDS_H
#define HEDDLE_BINARY_ASM_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "wire/locked.h"

struct asm_word {
        uint64_t function; /* 0: at an address; else at an offset from a register, in the function that begins there */
        int64_t offset;
};

struct asm_words {
        VEC(struct asm_word) all;
        const uint64_t *touched; /* by address: ends of instructions that were seen to access such a word; not owned */
        uint32_t n_touched;
};

/* Takes the word of an instruction of this function, if it is an update that other threads may see.  False: out of memory. */
bool asm_words_add(struct asm_words *w, const struct wire_locked *l, uint64_t function);
/* After the last one was added. */
void asm_words_sort(struct asm_words *w);
/* Is there anything to look for? */
static inline bool asm_words_any(const struct asm_words *w)
{
        return w->all.n || w->n_touched;
}
/* Is it a load, store or unlocked update of such a word: of the same address, of the same offset from a register in the same
 * function, or one that was seen to be?  What is taken for one by mistake costs time and changes no verdict. */
bool asm_words_has(const struct asm_words *w, const struct wire_locked *l, uint64_t function);
void asm_words_fini(struct asm_words *w);

#endif
