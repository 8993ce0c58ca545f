/* Calls of libc that no table lists. */
#ifndef HEDDLE_RT_CALLS_UNLISTED_H
#define HEDDLE_RT_CALLS_UNLISTED_H

#pragma GCC visibility push(hidden)

/* From now on such calls are named; once, before the first thread starts. */
void unlisted_init(void);

#pragma GCC visibility pop

#endif
