/*
 * The descriptors of the program, put back for every execution.
 */
#ifndef HEDDLE_RT_IO_DESCRIPTOR_H
#define HEDDLE_RT_IO_DESCRIPTOR_H

#include <stdbool.h>

#pragma GCC visibility push(hidden)

/* Notes what is open.  `backups`: descriptors are closed without notice.  Returns NULL, or what cannot be put
 * back: the program is refused for it. */
const char *descriptor_save(bool backups);

/* Everything as it was.  `all`: what changed is not known, look at each. */
void descriptor_restore(bool all);
/* Would that do nothing but move offsets? */
bool descriptor_is_unchanged(void);
/* ... not even that, and has the program written no output? */
bool descriptor_is_as_saved(void);
/* Offsets as they were, and the contents of pipes. */
void descriptor_restore_offsets(void);
/* What a child made by fork shares with us: offsets, flags, the contents of pipes. */
void descriptor_restore_shared(void);

/* The program is about to close this descriptor or to put another in its place.  False: it is the runtime's. */
bool descriptor_change(int fd);
/* ... has got this one. */
void descriptor_opened(int fd);
/* ... has got some that no call named. */
void descriptor_unknown(void);
/* ... has changed flags of one. */
void descriptor_flags(void);
/* Performs close_range() on what is not the runtime's. */
long descriptor_close_range(unsigned first, unsigned last, unsigned flags);

/* Are the duplicates still there that descriptor_save() made? */
bool descriptor_backed_up(void);

/* A duplicate for the runtime, out of the program's way; negative on failure. */
int descriptor_keep(int fd);
/* ... can be dropped. */
void descriptor_drop(int fd);
bool descriptor_is_own(int fd);

/* Calls f for every open descriptor but the runtime's. */
void descriptor_each(void (*f)(void *arg, int fd), void *arg);

#pragma GCC visibility pop

#endif
