/*
 * Is every execution begun in the same state?  The check behind --check-restore.
 */
#ifndef HEDDLE_TARGET_RESTORE_CHECK_H
#define HEDDLE_TARGET_RESTORE_CHECK_H

#include "base/error.h"
#include "target/target.h"

/* The fingerprints that others are measured by; zero at first. */
struct restore_check {
        uint64_t print[WIRE_PRINTS]; /* of the first execution of ... */
        uint64_t start;              /* ... this start of the target */
};

/* Compares the fingerprints of the last run, which is to be called number `execution`, with those of the first one of the
 * same target.  0, or ERROR_FAIL: `why` says what differs. */
MUST_CHECK int restore_check(struct restore_check *c, const struct target *t, uint64_t execution, struct error *why);

#endif
