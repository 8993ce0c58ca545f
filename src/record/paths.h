/* The paths of a recording as a target follows them (wire/path.h). */
#ifndef HEDDLE_RECORD_PATHS_H
#define HEDDLE_RECORD_PATHS_H

#include "record/recording.h"
#include "wire/path.h"

/* In memory of its own, freed by the caller.  NULL: `why` says that it is too long, or that memory is exhausted. */
struct wire_paths *paths_make(const struct recording *r, struct error *why);

#endif
