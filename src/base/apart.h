/* Work that cannot be interrupted, such as a solver's, in a process of its own that is killed when its time is over. */
#ifndef HEDDLE_BASE_APART_H
#define HEDDLE_BASE_APART_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* work(arg, result) runs in a copy of this process, and *result, of so many bytes, is what it left there.  It may take `seconds`, and
 * stops when loop_interrupted is set.  1: done, 0: stopped, -1: no process, or it died. */
MUST_CHECK int apart_run(void (*work)(void *arg, void *result), void *arg, void *result, size_t size, double seconds);

#endif
