/*
 * A text file as lines of words that are separated by single spaces: what trace files are made of.  Numbers are
 * hexadecimal; texts have %XX for every byte that is not a plain character, and a lone % is the empty text.
 */
#ifndef HEDDLE_BASE_WORDS_H
#define HEDDLE_BASE_WORDS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

struct words {
        FILE *f;           /* the caller's */
        const char *name;  /* of the kind of file, for messages */
        struct error *why; /* of the last failure; the caller's */
        char *line, *at;   /* the present line, and the next word of it */
        size_t room;
        uint32_t number; /* of the line */
};

/* Goes to the next line: 1, 0 at the end of the file, -1 when it holds a zero byte. */
int words_line(struct words *w);
void words_fini(struct words *w);

/* Writes "<name>, line <n>: ..." into `why`; always -1. */
int words_fail(struct words *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The next word, "" at the end of the line; valid until the next line. */
char *words_next(struct words *w);

/* The next word as a number or text: 0, or -1 and a message when it is none. */
int words_number(struct words *w, uint64_t limit, uint64_t *out); /* at most limit */
int words_u32(struct words *w, uint32_t *out);
int words_u64(struct words *w, uint64_t *out);
int words_copy(struct words *w, char *to, size_t size); /* the rest of `to` is zeroed */
char *words_text(struct words *w);                      /* decoded in place; NULL: no text */

/* Writes a space and a text that words_text() reads. */
void words_put(FILE *f, const char *text);

#endif
