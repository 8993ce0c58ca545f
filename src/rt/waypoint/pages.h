/* All private writable memory of the process, and the entries of the trace, copied and put back page by page. */
#ifndef HEDDLE_RT_WAYPOINT_PAGES_H
#define HEDDLE_RT_WAYPOINT_PAGES_H

#include <stdbool.h>
#include <stddef.h>

#pragma GCC visibility push(hidden)

/* Before the rest; what is left out: the stack of who calls, and so much memory, which is returned. */
void *pages_init(size_t size, const void *stack, size_t stack_size);

/* Copies all.  False: it is too much, or the kernel cannot say what is written from here on. */
bool pages_save(void);
/* Puts back what was written since then, by the program or by the kernel.  False: the kernel does not say what that is. */
bool pages_restore(void);
/* Is all that was copied as it was? */
bool pages_same(void);

#pragma GCC visibility pop

#endif
