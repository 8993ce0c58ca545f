/* What the snapshot cannot undo. */
#ifndef HEDDLE_RT_WORLD_RESTORABLE_H
#define HEDDLE_RT_WORLD_RESTORABLE_H

#pragma GCC visibility push(hidden)

/* The running execution did something that the snapshot cannot undo.  With a snapshot the execution ends here; in fork
 * mode the function returns. */
void kernel_cannot_restore(const char *why);

#pragma GCC visibility pop

#endif
