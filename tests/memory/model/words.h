/* The words of an operation that is not one step, in the order in which they are read and written. */
#ifndef MEMORY_WORDS_H
#define MEMORY_WORDS_H

#include "program.h"

struct word {
        bool write;
        int at;   /* bytes from the start of what is read or written */
        int off;  /* where in the memory */
        int size; /* 1, 2, 4 or 8 */
};

/* Is it more than one step? */
bool has_words(const struct op *o);
/* Word k of the operation; false: it has fewer. */
bool word_of(const struct op *o, int k, struct word *w);

#endif
