/*
 * System calls on files, as the program makes them: arguments in the order of the *at forms (files.def), the answer as the
 * kernel's.
 */
#ifndef HEDDLE_RT_FILES_CALLS_H
#define HEDDLE_RT_FILES_CALLS_H

#include <stdint.h>

#include "rt/files/path.h"

#pragma GCC visibility push(hidden)

#define FILES(name, function, ...) long function(const long *a);
#include "rt/files/files.def"
#undef FILES

/* The file at a place that exists becomes the program's own: its node, or an error number. */
int file_own(struct place *p);
/* The place of an existing file; the node of one that has several names is found, too. */
long file_find(const long *a, bool follow, struct place *p);
/* The rights of a new file, without those that the umask takes away. */
uint32_t file_masked(long mode);
/* May the program make and remove names in the directory of the place? */
long file_may_name(const struct place *p);

#pragma GCC visibility pop

#endif
