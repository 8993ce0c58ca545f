/*
 * The files of the program.  What an execution writes is not there in the next one, and never on the machine: files that are opened
 * for writing are copies in memory, and names that are made, changed or removed are so in a table (names.h).
 *
 * The calls come from a seccomp filter (trap.c), so those that libc makes inside fopen() or mkstemp() are among them.
 */
#ifndef HEDDLE_RT_FILES_FILES_H
#define HEDDLE_RT_FILES_FILES_H

#include <stdbool.h>
#include <stdint.h>

#define FILES_NO_CELL UINT32_MAX

#pragma GCC visibility push(hidden)

/* Performs a system call that names a file, with its six arguments; false: it is not one.  *opened: it returns a descriptor. */
bool files_call(long nr, const long *a, long *result, bool *opened);
/* The number of the i-th of these calls; negative: there are no more. */
long files_number(unsigned i);

/* The number of the state that stands for the contents of a file; FILES_NO_CELL: it is not a file. */
uint32_t files_cell(int fd);
uint32_t files_cell_at(int dirfd, const char *path);

/* For the snapshot.  `shared`: in fork mode, before each child: what it shares with us. */
void files_save(void);
void files_restore(bool shared);
/* Are there none? */
bool files_none(void);

#pragma GCC visibility pop

#endif
