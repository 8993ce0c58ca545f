/* Leaks in the executions of a session. */
#ifndef HEDDLE_VERDICT_LEAK_TABLE_H
#define HEDDLE_VERDICT_LEAK_TABLE_H

#include "engine/session.h"

/* Brings the table up to date with s->trace.  SESSION_OK or negative. */
int leaks_note(struct session *s);

/* The k-th leak of s->trace as a failure of it.  False: there are no more. */
bool leaks_failure(const struct session *s, uint32_t k, struct wire_failure *f);

/* Is that leak a failure as far as is known: --leaks all, or another execution ended with less? */
bool leaks_fails(const struct session *s, const struct wire_failure *f);

/* The entry of the table for such blocks, or NULL. */
struct leak *leaks_find(const struct session *s, const struct wire_block *b);

/* Is there one that will be kept, as a failure or until it is one?  It is worth running once more in detail. */
bool leaks_fresh(const struct session *s);

#endif
