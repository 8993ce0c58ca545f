/* The code of a module in stretches: its functions, and what lies between them. */
#ifndef HEDDLE_BINARY_STRETCHES_H
#define HEDDLE_BINARY_STRETCHES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

/* Code to go through: a function, or a section without symbols. */
struct stretch {
        uint64_t lo, hi; /* hi 0: up to the next one */
        bool sure;
        bool cold; /* a part of a function that is elsewhere */
        bool crt;  /* of the compiler's start files */
};

typedef VEC(struct stretch) stretches;
/* A section of code. */
struct code {
        uint64_t lo, hi;
        const uint8_t *bytes;
        bool made; /* by the compiler or the linker, the same in every program */
};
typedef VEC(struct code) code_sections;

/* The section that an address is in, NULL: none. */
const struct code *code_at(const code_sections *code, uint64_t addr);

/* False: out of memory. */
bool stretches_add(stretches *all, struct stretch t);

/* Functions may have several names, and labels are inside of them: what is left of the list is sorted and does not overlap. */
void stretches_clean(stretches *all, const code_sections *code);

/* Adds code between the functions that are known, which neither the symbol table nor the unwind table has: it is not sure.
 * False: out of memory. */
bool stretches_fill(stretches *all, const code_sections *code);

#endif
