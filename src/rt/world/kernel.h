/*
 * The kernel's part of the state of a process, saved and put back with the snapshot.
 */
#ifndef HEDDLE_RT_WORLD_KERNEL_H
#define HEDDLE_RT_WORLD_KERNEL_H

#include <stdbool.h>

#pragma GCC visibility push(hidden)

/* Called where the snapshot is taken, in fork mode too.  Returns NULL, or what the program has that no execution could
 * be run with: it is refused for that.  `traps`: trap.c reports system calls that change something. */
const char *kernel_save(bool traps);
/* The snapshot was taken: the mappings are those that executions begin with. */
void kernel_saved(void);

/* Everything as it was, before memory is put back.  Costs nothing when the program made no system call that changes
 * something. */
void kernel_restore(void);

/* Would that change nothing but offsets of descriptors? */
bool kernel_is_unchanged(void);
/* ... not even these, and was nothing written to standard output? */
bool kernel_is_as_saved(void);
/* In fork mode, before each child: what it shares with us. */
void kernel_restore_shared(void);

/* Before an answer: is everything known that this execution changed?  Else it is marked as not restorable. */
void kernel_finish(void);

/* Perform a system call of the program and note what it changed. */
long kernel_chdir(long nr, const long *a);
long kernel_umask(const long *a);
long kernel_timer(long nr, const long *a);
long kernel_limit(long nr, const long *a);

#pragma GCC visibility pop

#endif
