/*
 * Memory of the explorer.  An allocation succeeds or ends the process: heddle that runs out of memory has no answer, so it
 * must not come to one.
 */
#ifndef HEDDLE_BASE_MEMORY_H
#define HEDDLE_BASE_MEMORY_H

/* "heddle: internal: out of memory", exit status 3. */
_Noreturn void memory_out(void);

#endif
