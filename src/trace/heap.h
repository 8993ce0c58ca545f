/* What is said about failures of the heap. */
#ifndef HEDDLE_TRACE_HEAP_H
#define HEDDLE_TRACE_HEAP_H

#include <stdio.h>

#include "base/strbuf.h"
#include "base/words.h"
#include "binary/symbols.h"
#include "wire/wire.h"

/* One line: what was done to which block, and where that was allocated and freed.  s may be NULL. */
void finding_say_heap(struct strbuf *b, const struct wire_failure *f, struct symbols *s);

/* The line of a block in a trace file, after its key, and back: 0, or -1 with a message in w. */
void heap_put_block(FILE *f, const struct wire_block *k);
int heap_get_block(struct words *w, struct wire_block *k);

#endif
