/* Plain accesses of modules that were not built by heddle cc to words that their locked instructions update. */
#ifndef HEDDLE_ENGINE_PLAIN_WORDS_H
#define HEDDLE_ENGINE_PLAIN_WORDS_H

#include "engine/run.h"

/* Finds them in first executions of the program, which has been started, and starts it again with them as operations.  RUN_OK, RUN_INTR
 * or below 0. */
MUST_CHECK int plain_words_find(struct run *r);

#endif
