/*
 * What is known of the program, for naming and reporting: written by the program room alone.
 */
#ifndef HEDDLE_PROGRAM_FACTS_H
#define HEDDLE_PROGRAM_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "binary/symbols.h"
#include "wire/wire.h"

struct facts {
        struct wire_module *modules; /* of the target, the program first, for symbols; owned */
        uint32_t n_modules;
        struct observed
                *observed; /* the cells of --observe, in the order of the command line; owned, with their names */
        uint32_t n_observed;
        struct wire_label *labels; /* names that the program gave to objects; owned, known when the target has ended */
        uint32_t n_labels;
        char assumed[WIRE_MAX_ASSUMED][WIRE_ASSUMED_TEXT]; /* outside: taken to be the same in every execution */
        uint32_t n_assumed;
        bool unfiltered; /* ... and what was opened while it ran is not known */
        char **excluded; /* what options and attributes keep out of the exploration, in words; owned */
        uint32_t n_excluded;
        bool instrumented;   /* the program calls the hooks of memory accesses */
        bool forked;         /* isolation was by fork, and why: */
        char isolation[256]; /* empty: it was asked for */
};

/* Forgets what belongs to one start of the program: addresses are others in the next. */
void facts_forget_addresses(struct facts *f);
void facts_forget_excluded(struct facts *f);

/* One more line of what is excluded from the exploration.  0, or ERROR_FAIL: out of memory. */
MUST_CHECK __attribute__((format(printf, 2, 3))) int facts_exclude(struct facts *f, const char *format, ...);

/* Takes over what the target reported: the names that the program gave to objects, and what it uses of the outside. */
void facts_take(struct facts *f, const struct wire_up *up);

void facts_fini(struct facts *f);

#endif
