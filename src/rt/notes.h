/* What the explorer is to know of an execution beside its trace. */
#ifndef HEDDLE_RT_NOTES_H
#define HEDDLE_RT_NOTES_H

#include "rt/rt.h"

#pragma GCC visibility push(hidden)

/* The exploration is incomplete for this reason; the text is never freed. */
void rt_note_incomplete(enum reason reason, const char *detail);

/* The program gives the object at p a name. */
void rt_name_object(const void *p, const char *name);

#pragma GCC visibility pop

#endif
