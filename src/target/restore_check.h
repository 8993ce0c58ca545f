/*
 * Is every execution begun in the same state?  The check behind --check-restore.
 */
#ifndef HEDDLE_TARGET_RESTORE_CHECK_H
#define HEDDLE_TARGET_RESTORE_CHECK_H

#include "engine/session.h"

/* Compares the fingerprints of the last run with those of the first one of the same target.  SESSION_OK, or
 * SESSION_FAIL and s->why says what differs. */
int fidelity_check(struct session *s);

#endif
