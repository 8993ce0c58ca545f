/*
 * --static: accesses that nothing depends on, by where the source has them (docs/proofs/static.md).
 *
 * A program of its own finds them in the IR that the program has kept (src/static).  An access is irrelevant only if the line
 * table says where it is, and all accesses of its kind in this place are, or all those that may go to the same bytes of a global
 * variable: a function that counts is called for what matters and for what does not.
 */
#ifndef HEDDLE_PROGRAM_IRRELEVANT_H
#define HEDDLE_PROGRAM_IRRELEVANT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "binary/symbols.h"

struct irrelevant;

/* Runs the command that lists them, with its messages among the list.  0, or ERROR_USAGE with what it said. */
MUST_CHECK int irrelevant_read(struct irrelevant **out, const char *command, struct error *why);
void irrelevant_destroy(struct irrelevant *r);
/* Addresses have another meaning now. */
void irrelevant_forget(struct irrelevant *r);

/* An access to memory. */
struct irrelevant_access {
        uint64_t site, addr;
        uint32_t size;
        char what; /* r a read, w a write, u an atomic update */
};

bool irrelevant_is(struct irrelevant *r, struct symbols *s, const struct irrelevant_access *a);

#endif
