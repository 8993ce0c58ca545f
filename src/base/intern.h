/*
 * Numbers for sequences of words: the same number for the same sequence, compared word by word.
 */
#ifndef HEDDLE_BASE_INTERN_H
#define HEDDLE_BASE_INTERN_H

#include "base/stream.h"
#include "base/vec.h"

struct intern_key {
        uint64_t hash;
        uint32_t at, n; /* in words */
};

struct intern { /* all zeroes: empty */
        VEC(uint64_t) words;
        VEC(struct intern_key) keys; /* number i + 1 is keys.at[i] */
        uint32_t *slots;             /* numbers; 0: free */
        uint32_t bits;
};

/* The number of a sequence, from 1 on; 0: out of memory. */
uint32_t intern_get(struct intern *t, const uint64_t *words, uint32_t n);

/* Writes all sequences, and takes them back with their numbers: false when out of memory or what is read is malformed. */
void intern_save(const struct intern *t, struct stream *out);
bool intern_load(struct intern *t, struct stream *in);

/* Forgets all; fini also gives the memory back. */
void intern_reset(struct intern *t);
void intern_fini(struct intern *t);

#endif
