/* What the program prints, while executions are compared (--outputs): two files in memory of this process and its targets. */
#ifndef HEDDLE_TARGET_PRINTED_H
#define HEDDLE_TARGET_PRINTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "target/spawn.h"

/* Zero at first.  Owned by the target. */
struct printed_files {
        int out, err;  /* + 1: the descriptors; 0: there are none */
        bool nothing;  /* that of standard output is known to be empty */
        uint32_t runs; /* for when that of standard error is emptied */
};

/* Makes the files for the programs that `spawn` starts; in a process forked off, its own ones.  TARGET_OK or TARGET_FAIL. */
MUST_CHECK int printed_init(struct printed_files *p, struct spawn *spawn, struct error *why);
void printed_fini(struct printed_files *p);

/* Before a run: standard output is empty, and standard error if the run is one in detail.  The others do not fill the memory. */
MUST_CHECK int printed_empty(struct printed_files *p, bool detail, struct error *why);

/* Did it print anything on standard output in the last run? */
bool printed_any(struct printed_files *p);

/* What the program printed on standard output in the last run: its number of bytes, which `*hash` takes in; `text` holds the
 * first `size` of them. */
size_t printed_output(struct printed_files *p, uint64_t *hash, char *text, size_t size);

/* The end of what it printed on standard error in the last run, which was one in detail. */
void printed_errors(const struct printed_files *p, char *text, size_t size);

#endif
