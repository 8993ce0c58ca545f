/* Directories of which executions changed something: what is in them. */
#ifndef HEDDLE_RT_FILES_LISTING_H
#define HEDDLE_RT_FILES_LISTING_H

#include <stdbool.h>

struct place;

#pragma GCC visibility push(hidden)

/* Is there anything in the directory? */
bool listing_is_empty(const struct place *p);
/* Opens the directory: a descriptor with its names, or an error number.  Flags are those of open(). */
long listing_open(const struct place *p, long flags);
/* Is it to be opened so?  False: the machine's own has the same names. */
bool listing_differs(const struct place *p);
/* getdents64 on such a descriptor. */
long listing_read(int fd, void *buffer, unsigned long size);

#pragma GCC visibility pop

#endif
